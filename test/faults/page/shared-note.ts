import { RuntimeError } from '@inpage-mcp/runtime';
import { runtime } from './opened.js';

/** How often a tab had to begin anew, as another was faster. */
export interface Shared {
  conflicts: number;
}

/**
 * Adds lines to one note that other tabs add to at the same time: two of three by reading it and
 * writing it back unless it has changed since, the third by the tool that appends.
 */
export async function addLines(id: string, tab: number, count: number): Promise<Shared> {
  const client = await runtime.connect();
  let conflicts = 0;
  for (let number = 0; number < count; number += 1) {
    const line = lineOf(tab, number);
    if (number % 3 === 2) {
      const { isError, content } = await client.callTool('append_to_note', { id, text: line });
      if (isError) throw new Error(JSON.stringify(content));
    } else {
      conflicts += await addByReading(id, line);
    }
  }
  await client.close();
  return { conflicts };
}

/** Which line of which tab: each is there once in the end. */
export function lineOf(tab: number, number: number): string {
  return `tab ${tab} line ${number}`;
}

async function addByReading(id: string, line: string): Promise<number> {
  for (let conflicts = 0; ; conflicts += 1) {
    const { text, revision: expectedRevision } = await runtime.notes.get(id);
    try {
      await runtime.notes.update(id, { text: `${text}\n${line}` }, { expectedRevision });
      return conflicts;
    } catch (error) {
      if (!(error instanceof RuntimeError && error.code === 'conflict')) throw error;
    }
  }
}

/** A note without text; resolves with its id. */
export async function createSharedNote(): Promise<string> {
  return (await runtime.notes.create({ title: 'Shared', text: '' })).id;
}

/** What the note says in the end. */
export async function readSharedNote(id: string): Promise<{ lines: string[]; revision: number }> {
  const { text, revision } = await runtime.notes.get(id);
  return { lines: text.split('\n').filter(Boolean), revision };
}
