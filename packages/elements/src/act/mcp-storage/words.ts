import { msg, str } from '@lit/localize';
import {
  formatError,
  formatNumber,
  formatSize,
  isolate,
  joinFacts,
} from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { amountOf, fieldsOf, textOf } from '../../reading/gate.js';
import type { DataEstimate } from './data-storage.js';
import type { StorageAction } from './events.js';

/** The used part of a quota from which on the quota counts as the cause of missing space. */
const NEARLY_ALL = 0.8;

/** The maximum number of left out entries that are named. */
const MAX_NAMED = 20;

/** The amount of data as a text: `Notes: 12 · Files: 3`. */
export function amountInWords({ notes, files }: Pick<DataEstimate, 'notes' | 'files'>): string {
  const [ofNotes, ofFiles] = [formatNumber(notes), formatNumber(files)];
  return joinFacts([
    msg(str`Notes: ${ofNotes}`, { id: 'mcp.storage.notes' }),
    msg(str`Files: ${ofFiles}`, { id: 'mcp.storage.files' }),
  ]);
}

/** The used space as a text: `1.2 MB of 10 GB`; empty if the browser does not report it. */
export function roomInWords({ usedBytes, quotaBytes }: DataEstimate): string {
  if (usedBytes === undefined || quotaBytes === undefined) return '';
  const [used, quota] = [formatSize(usedBytes), formatSize(quotaBytes)];
  return msg(str`${used} of ${quota}`, { id: 'mcp.storage.room' });
}

/** The reason of a failure, and a remedy, as a text. */
export function problemInWords(error: unknown): string {
  const { usedBytes, quotaBytes } = fieldsOf(fieldsOf(error)['quota']);
  if (typeof usedBytes !== 'number' || typeof quotaBytes !== 'number') return formatError(error);
  const [used, quota] = [formatSize(usedBytes), formatSize(quotaBytes)];
  // Browsers may report more space than they provide, and the disk may be full earlier. The quota is not the
  // cause then.
  return usedBytes > quotaBytes * NEARLY_ALL
    ? msg(
        str`There is no room left: ${used} of ${quota} are taken. Delete what you can do without, then try again.`,
        { id: 'mcp.storage.full' },
      )
    : msg(
        str`There is no room left, in the browser or on the disk. This site takes ${used}. Make room, then try again.`,
        { id: 'mcp.storage.no-room' },
      );
}

/** The result of a cancelled action, as a text. */
export function cancelledInWords(action: StorageAction): string {
  return action === 'import'
    ? msg('Cancelled. What was imported so far stays; you can import the same file again.', {
        id: 'mcp.storage.import-cancelled',
      })
    : msg('Cancelled: nothing was saved.', { id: 'mcp.storage.export-cancelled' });
}

/** The possible outcomes for an entry of an import. */
const OUTCOMES = ['added', 'updated', 'unchanged', 'older', 'copied'] as const;

/** The result of an import: `Added: 12 · As before: 5`. */
export function importInWords(answer: unknown): string {
  const { notes, files, edited, skippedCount } = fieldsOf(answer);
  const counts = OUTCOMES.map(
    (outcome) =>
      (amountOf(fieldsOf(notes)[outcome]) ?? 0) + (amountOf(fieldsOf(files)[outcome]) ?? 0),
  );
  counts.push(Array.isArray(edited) ? edited.length : 0, amountOf(skippedCount) ?? 0);
  const [added, updated, unchanged, older, copied, changed, skipped] = counts.map(formatNumber);
  const words = [
    msg(str`Added: ${added}`, { id: 'mcp.storage.added' }),
    msg(str`Newer than here: ${updated}`, { id: 'mcp.storage.updated' }),
    msg(str`As before: ${unchanged}`, { id: 'mcp.storage.unchanged' }),
    msg(str`Older than here, and left out: ${older}`, { id: 'mcp.storage.older' }),
    msg(str`Different here, and kept as copies: ${copied}`, { id: 'mcp.storage.copied' }),
    msg(str`Changed by another program: ${changed}`, { id: 'mcp.storage.edited' }),
    msg(str`Left out: ${skipped}`, { id: 'mcp.storage.skipped' }),
  ];
  return (
    joinFacts(words.filter((_, index) => counts[index]! > 0)) ||
    msg('There was nothing in it.', { id: 'mcp.storage.nothing' })
  );
}

/** The entries that an import has left out, by name and with the reason. */
export function skippedInWords(answer: unknown): string[] {
  const { skipped, skippedCount } = fieldsOf(answer);
  const named = (Array.isArray(skipped) ? skipped : []).slice(0, MAX_NAMED).map((entry) => {
    const { name, reason } = fieldsOf(entry);
    const [shownName, shownReason] = [name, reason].map((text) => truncateText(textOf(text) ?? ''));
    return `${isolate(shownName!)}: ${shownReason}`;
  });
  const more = (amountOf(skippedCount) ?? 0) - named.length;
  const others = formatNumber(more);
  if (more <= 0) return named;
  return [...named, msg(str`And others: ${others}`, { id: 'mcp.storage.others' })];
}
