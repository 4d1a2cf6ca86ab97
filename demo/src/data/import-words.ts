import type { ImportReport } from '@inpage-mcp/runtime';

/** The most skipped entries that are named one by one. */
const MAX_NAMED = 20;

/** What an import did, in a sentence: `Brought in: 12 added, 5 as before.` */
export function importInWords({ notes, files, skippedCount }: ImportReport): string {
  const of = (outcome: keyof typeof notes): number => notes[outcome] + files[outcome];
  const counts: readonly [count: number, words: string][] = [
    [of('added'), 'added'],
    [of('updated'), 'newer than what was here'],
    [of('unchanged'), 'as before'],
    [of('older'), 'older than what is here, and left out'],
    [of('copied'), 'different from what is here, and kept as copies'],
    [skippedCount, 'skipped'],
  ];
  const shown = counts.filter(([count]) => count > 0);
  if (shown.length === 0) return 'There was nothing in it.';
  const parts = shown.map(([count, words]) => `${count.toLocaleString('en')} ${words}`);
  return `Done: ${parts.join('; ')}.`;
}

/** What was skipped, by name and with the reason. */
export function skippedInWords({ skipped, skippedCount }: ImportReport): string[] {
  const named = skipped.slice(0, MAX_NAMED).map(({ name, reason }) => `${name}: ${reason}`);
  const others = skippedCount - named.length;
  return others > 0 ? [...named, `… and ${others.toLocaleString('en')} more.`] : named;
}
