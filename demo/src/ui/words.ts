import { type Quota, RuntimeError, type StorageLoss } from '@inpage-mcp/runtime';

/** The used part of a quota from which on the quota counts as the cause of missing space. */
const NEARLY_ALL = 0.8;

/** The maximum number of names in one sentence. */
const MAX_NAMES = 3;

/** The numbers of notes and files as a text: `12 notes and 1 file`, `1 file`, `nothing`. */
export function amountOf({ notes, files }: { notes: number; files: number }): string {
  const parts = [notes && countOf(notes, 'note'), files && countOf(files, 'file')];
  return parts.filter(Boolean).join(' and ') || 'nothing';
}

function countOf(number: number, of: string): string {
  return `${number.toLocaleString('en')} ${of}${number === 1 ? '' : 's'}`;
}

/** The reason of a failure, and a remedy, as a text for the user. */
export function reasonOf(error: unknown): string {
  if (error instanceof RuntimeError && error.quota) return shortageInWords(error.quota);
  return error instanceof Error && error.message ? error.message : String(error);
}

/**
 * The text about missing space. Browsers may report more space than they provide, and the disk may be full
 * earlier. The quota is not the cause then.
 */
function shortageInWords({ usedBytes, quotaBytes }: Quota): string {
  const used = sizeInWords(usedBytes);
  return usedBytes > quotaBytes * NEARLY_ALL
    ? `There is no room left: ${used} of ${sizeInWords(quotaBytes)} are taken. Delete what you can do without, then try again.`
    : `There is no room left, in the browser or on the disk; this site takes ${used} of it. Make room, then try again.`;
}

/** The known facts about a loss of data, and the remedy, as a text. */
export function lossInWords({ reason, before, now, entries = [] }: StorageLoss): string {
  const change = before ? `Before: ${amountOf(before)}; now: ${amountOf(now)}. ` : '';
  const help = 'If you have an export, import it to get back what is in it.';
  switch (reason) {
    case 'cleared':
      return `Your data is gone: the data of this site was cleared, or the browser needed the room. ${change}${help}`;
    case 'rolled-back':
      return `The last changes are gone, as happens when the power fails or a disk is damaged. ${change}${help}`;
    case 'damaged':
      return `The browser could not read what it had stored, and began anew. ${change}${help}`;
    case 'unreadable':
      return `${unreadable(entries)} cannot be read any more. Everything else is as it was. ${help}`;
  }
}

function unreadable(entries: NonNullable<StorageLoss['entries']>): string {
  const paths = entries.filter(({ kind }) => kind === 'file').map(({ key }) => key);
  const counts = { notes: entries.length - paths.length, files: paths.length };
  const words = entries.length === 0 ? 'Something' : amountOf(counts);
  if (paths.length === 0) return words;
  const others = paths.length > MAX_NAMES ? ', …' : '';
  return `${words} (${paths.slice(0, MAX_NAMES).join(', ')}${others})`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size in bytes for people: `1.2 MB`. */
function sizeInWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(unit > 0 && value < 9.95 ? 1 : 0)} ${UNITS[unit]}`;
}
