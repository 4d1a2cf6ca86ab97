import { startRuntime } from '@inpage-mcp/runtime';

/** Resolves to a client of a page with one note. */
export async function connect() {
  const runtime = await startRuntime();
  const { notes } = await runtime.notes.list({ limit: 1 });
  if (notes.length === 0)
    await runtime.notes.create({ title: 'Hello', text: 'This note is **in your browser**.' });
  return runtime.connect();
}
