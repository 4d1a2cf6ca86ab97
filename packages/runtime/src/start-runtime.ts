import { connectClient, type ConnectOptions, type McpClient } from '@inpage-mcp/client';
import type {
  FilePage,
  NewNote,
  Note,
  NotePage,
  NoteUpdate,
  StoredFile,
} from '@inpage-mcp/server/control-plane';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { transfer } from 'comlink';
import { RuntimeError } from './runtime-error.js';
import { createDefaultWorker, makeWorker, ServerWorker } from './server-worker.js';

/** How long `close()` waits for the worker before it stops it. */
const CLOSE_TIMEOUT_MS = 2_000;

/** How to start. */
export interface RuntimeOptions {
  /**
   * The worker, or what makes it: for a worker file of the app's own, for bundlers that do not
   * emit the default one, and under Trusted Types. Default: the worker of this package.
   */
  worker?: Worker | (() => Worker);
  /** The IndexedDB database; tabs of the same name share their data. Default: `inpage-mcp`. */
  databaseName?: string;
  /** Closes the runtime, also while it starts. */
  signal?: AbortSignal;
}

/** The user's notes, for the page that owns them. Calls reject with a `RuntimeError`. */
export interface RuntimeNotes {
  create(note: NewNote): Promise<Note>;
  get(id: string): Promise<Note>;
  update(id: string, update: NoteUpdate): Promise<Note>;
  delete(id: string): Promise<void>;
  /** Newest first, without their texts. Default limit: 200. */
  list(page?: { before?: string; limit?: number }): Promise<NotePage>;
}

/** The user's files, for the page that owns them. Calls reject with a `RuntimeError`. */
export interface RuntimeFiles {
  /** Writes a file whole; resolves once it is on disk. A DOM `File` is passed on as it is. */
  write(path: string, blob: Blob, options?: { expectedRevision?: number }): Promise<StoredFile>;
  read(path: string): Promise<{ file: StoredFile; blob: Blob }>;
  delete(path: string): Promise<void>;
  /** In the order of paths, without their bytes. Default limit: 200. */
  list(page?: { after?: string; limit?: number }): Promise<FilePage>;
}

/** The page's handle on its MCP server. */
export interface Runtime {
  readonly notes: RuntimeNotes;
  readonly files: RuntimeFiles;
  /** A client on a connection of its own. */
  connect(options?: ConnectOptions): Promise<McpClient>;
  /** A port of raw JSON-RPC on a connection of its own, for any other MCP client. */
  openPort(): Promise<MessagePort>;
  /** Ends every connection, then the worker. What is under way settles; later calls reject. */
  close(): Promise<void>;
}

/**
 * Starts the worker, opens the database, and resolves when both are ready.
 *
 * @throws {RuntimeError} `worker-failed` within 5 seconds, naming the likely cause; or the store's
 *   code (`blocked`, `newer-version`, `unavailable`).
 */
export async function startRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { worker = createDefaultWorker, databaseName = 'inpage-mcp', signal } = options;
  signal?.throwIfAborted();
  const server = new ServerWorker(makeWorker(worker));
  const abort = (): void => server.terminate(closedError());
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await server.start(databaseName);
  } catch (error) {
    server.terminate(closedError());
    signal?.throwIfAborted();
    throw error;
  }
  return createRuntime(server, () => signal?.removeEventListener('abort', abort));
}

/** @param onclose Lets go of whatever else could close the runtime. */
function createRuntime(server: ServerWorker, onclose: () => void): Runtime {
  const openPort = async (): Promise<MessagePort> => {
    const { port1, port2 } = new MessageChannel();
    await server.call((control) => control.servePort(transfer(port2, [port2])));
    return port1;
  };
  return {
    notes: {
      create: (note) => server.call((control) => control.createNote(note)),
      get: (id) => server.call((control) => control.getNote(id)),
      update: (id, update) => server.call((control) => control.updateNote(id, update)),
      delete: (id) => server.call((control) => control.deleteNote(id)),
      list: (page) => server.call((control) => control.listNotes(page)),
    },
    files: {
      write: (path, blob, options) =>
        server.call((control) => control.writeFile(path, blob, options)),
      read: (path) => server.call((control) => control.readFile(path)),
      delete: (path) => server.call((control) => control.deleteFile(path)),
      list: (page) => server.call((control) => control.listFiles(page)),
    },
    openPort,
    connect: async (options) =>
      await connectClient(new MessagePortTransport(await openPort()), options),
    close: async () => {
      onclose();
      // The polite way first: connections get the end of their stream, writes their commit.
      const timer = setTimeout(() => server.terminate(closedError()), CLOSE_TIMEOUT_MS);
      await server.call((control) => control.close()).catch(() => undefined);
      clearTimeout(timer);
      server.terminate(closedError());
    },
  };
}

function closedError(): RuntimeError {
  return new RuntimeError('closed', 'The runtime is closed.');
}
