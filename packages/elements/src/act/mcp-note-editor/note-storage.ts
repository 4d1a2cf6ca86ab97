import type { CallToolResult, McpClient } from '@inpage-mcp/client';
import { declares } from '../../reading/declared.js';
import { codeOf } from '../../reading/gate.js';

/** The title and the text of a note. */
export interface NoteWords {
  /** The title; may be empty. */
  title: string;
  /** The text, in Markdown. */
  text: string;
}

/** A note as it is stored. */
export interface StoredNote extends NoteWords {
  /** The id: the part of the address after `note:///`. */
  id: string;
  /** The revision, which grows with each change of the note. */
  revision: number;
  /** The tags; absent without any. */
  tags?: readonly string[] | undefined;
}

/** The options of a write. */
export interface NoteWriteOptions {
  /**
   * The key of the write. Writes with the same key are the same write, so a storage that knows the key writes
   * only once.
   */
  idempotencyKey: string;
}

/**
 * The place of notes. `runtime.notes` of `@inpage-mcp/runtime` is one. Calls reject with
 * an error whose `code` is `not-found` if the note does not exist, and `conflict` if it does not have
 * the expected revision.
 */
export interface NoteStorage {
  /** Reads a note as it is stored now. */
  get(id: string): Promise<StoredNote>;
  /** Changes the title and the text, unless another client has changed the note. */
  update(
    id: string,
    words: NoteWords,
    options: NoteWriteOptions & { expectedRevision: number },
  ): Promise<{ revision: number }>;
  /** Creates a note, for a version that can be stored nowhere else. */
  create(note: NoteWords & { tags?: string[] }, options: NoteWriteOptions): Promise<{ id: string }>;
}

/** Whether two versions have the same title and text. */
export function hasSameWords(a: NoteWords, b: NoteWords): boolean {
  return a.title === b.title && a.text === b.text;
}

/** A new key for a write. Also works in a page without a secure context, which has no `randomUUID()`. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** The key under which a server of this project sends the title and the revision (docs/resources.md). */
const RESOURCE_META_KEY = 'io.github.inpage-mcp/resource';

/** The JSON-RPC errors for a resource that does not exist, in both eras. */
const MISSING: readonly unknown[] = [-32602, -32002];

/**
 * The timeout of a call in milliseconds. It is long, because the server may ask its own user before it
 * writes.
 */
const WRITE_TIMEOUT_MS = 600_000;

/** The name of the tool that saves a note. */
export const UPDATE_TOOL = 'update_note';

/** Notes over MCP: the resource `note:///{id}`, and the tools `update_note` and `create_note`. */
export class ToolNotes implements NoteStorage {
  readonly #client: McpClient;

  constructor(client: McpClient) {
    this.#client = client;
  }

  async get(id: string): Promise<StoredNote> {
    if (!declares(this.#client, 'resources'))
      throw failure('not-found', new Error('The server has no resources.'));
    const { contents } = await this.#client
      .readResource(`note:///${id}`)
      .catch((cause: unknown) => {
        throw MISSING.includes(codeOf(cause)) ? failure('not-found', cause) : cause;
      });
    const [content] = contents;
    const meta = content?._meta?.[RESOURCE_META_KEY] as Partial<StoredNote> | undefined;
    // A client that checks nothing may deliver any value.
    const isText = content && 'text' in content && typeof content.text === 'string';
    if (!isText || typeof meta?.revision !== 'number')
      throw new Error('The server does not say which revision this note has.');
    const title = typeof meta.title === 'string' ? meta.title : '';
    return { id, title, text: content.text, revision: meta.revision };
  }

  async update(
    id: string,
    words: NoteWords,
    { expectedRevision, idempotencyKey }: NoteWriteOptions & { expectedRevision: number },
  ): Promise<{ revision: number }> {
    const { title, text } = words;
    const args = { id, title, text, expectedRevision, idempotencyKey };
    const result = await this.#call(UPDATE_TOOL, args);
    if (!result.isError) {
      const revision = valueIn(result, 'revision');
      // Without the revision, the next update cannot detect a conflict.
      return typeof revision === 'number' ? { revision } : await this.get(id);
    }
    // A tool reports every failure as a text.
    const { revision } = await this.get(id);
    throw failure(
      revision === expectedRevision ? 'failed' : 'conflict',
      new Error(wordsOf(result)),
    );
  }

  async create(
    { title, text, tags = [] }: NoteWords & { tags?: string[] },
    { idempotencyKey }: NoteWriteOptions,
  ): Promise<{ id: string }> {
    const result = await this.#call('create_note', { title, text, tags, idempotencyKey });
    if (result.isError) throw new Error(wordsOf(result));
    const id = valueIn(result, 'id');
    if (typeof id !== 'string') throw new Error('The server did not return the id of the note.');
    return { id };
  }

  #call(name: string, input: { [name: string]: unknown }): Promise<CallToolResult> {
    return this.#client.callTool(name, input, { timeoutMs: WRITE_TIMEOUT_MS });
  }
}

function failure(code: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : '';
  return Object.assign(new Error(message, { cause }), { code });
}

function valueIn({ structuredContent }: CallToolResult, name: string): unknown {
  return (structuredContent as { [name: string]: unknown } | undefined)?.[name];
}

function wordsOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
