import { connectClient, type ConnectOptions, type McpClient } from '@inpage-mcp/client';
import type {
  Access,
  Confirm,
  FilePage,
  FileUpdate,
  FileWrite,
  NewNote,
  Note,
  NoteMatch,
  NotePage,
  NoteUpdate,
  ProvidedDescription,
  ReadProvided,
  StoredFile,
} from '@inpage-mcp/server/control-plane';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { proxy, transfer } from 'comlink';
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
  /**
   * Asks the page's user before a tool writes, for connections whose access says `write: 'ask'`
   * and whose client cannot ask by itself. Anything but `true` is a no. Default: always no.
   */
  confirm?: Confirm;
}

/** How to connect, and what the connection may do. */
export interface RuntimeConnectOptions extends ConnectOptions {
  /** Default: everything. */
  access?: Access;
}

/** A resource of the page's own: what it is, and how to read it. */
export interface ProvidedResource extends ProvidedDescription {
  /** Called for each read, on the page; it has 30 seconds. What it throws is not passed on. */
  read: ReadProvided;
}

/** A resource that the page provides at the moment. */
export interface Provided {
  /** Tells the subscribers that the content is another now. Never rejects. */
  changed(): Promise<void>;
  /** Takes the resource off the list. Further calls do nothing. Never rejects. */
  remove(): Promise<void>;
}

/** The user's notes, for the page that owns them. Calls reject with a `RuntimeError`. */
export interface RuntimeNotes {
  create(note: NewNote): Promise<Note>;
  get(id: string): Promise<Note>;
  update(id: string, update: NoteUpdate): Promise<Note>;
  delete(id: string): Promise<void>;
  /** Newest first, without their texts. Default limit: 200. */
  list(page?: { before?: string; limit?: number }): Promise<NotePage>;
  /**
   * The notes that hold every word of the query in title, tags or text, the best first.
   *
   * @param options.limit From 1 to 100. Default: 20.
   */
  search(
    query: string,
    options?: { limit?: number; tag?: string },
  ): Promise<{ matches: NoteMatch[]; total: number }>;
}

/** The user's files, for the page that owns them. Calls reject with a `RuntimeError`. */
export interface RuntimeFiles {
  /** Writes a file whole; resolves once it is on disk. A DOM `File` is passed on as it is. */
  write(path: string, blob: Blob, options?: FileWrite): Promise<StoredFile>;
  /** Changes what is said of a file, and not its bytes. */
  update(path: string, update: FileUpdate): Promise<StoredFile>;
  read(path: string): Promise<{ file: StoredFile; blob: Blob }>;
  /** Gives a file another path; rejects with `conflict` where one is, unless `overwrite`. */
  move(
    from: string,
    to: string,
    options?: { overwrite?: boolean; expectedRevision?: number },
  ): Promise<StoredFile>;
  delete(path: string): Promise<void>;
  /** In the order of paths, without their bytes. Default limit: 200, in all folders. */
  list(page?: { after?: string; limit?: number; folder?: string }): Promise<FilePage>;
}

/** The page's handle on its MCP server. */
export interface Runtime {
  readonly notes: RuntimeNotes;
  readonly files: RuntimeFiles;
  /** A client on a connection of its own. */
  connect(options?: RuntimeConnectOptions): Promise<McpClient>;
  /**
   * A port of raw JSON-RPC on a connection of its own, for any other MCP client.
   *
   * @param access What the connection may do. Default: everything.
   */
  openPort(access?: Access): Promise<MessagePort>;
  /**
   * Adds a resource of the page's own, such as the state of the app, until it is removed or the
   * runtime closes. Rejects with `invalid-argument` for a uri that is none, is taken, or has the
   * scheme `note:`, `file:` or `inpage:`; and where a worker of the app's own lacks
   * `runtimeResources()`.
   */
  provide(resource: ProvidedResource): Promise<Provided>;
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
  const { worker = createDefaultWorker, databaseName = 'inpage-mcp', signal, confirm } = options;
  signal?.throwIfAborted();
  const server = new ServerWorker(makeWorker(worker));
  const abort = (): void => server.terminate(closedError());
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await server.start(databaseName, confirm);
  } catch (error) {
    server.terminate(closedError());
    signal?.throwIfAborted();
    throw error;
  }
  return createRuntime(server, () => signal?.removeEventListener('abort', abort));
}

/** @param onclose Lets go of whatever else could close the runtime. */
function createRuntime(server: ServerWorker, onclose: () => void): Runtime {
  const openPort = async (access?: Access): Promise<MessagePort> => {
    const { port1, port2 } = new MessageChannel();
    const options = access === undefined ? {} : { access };
    await server.call((control) => control.servePort(transfer(port2, [port2]), options));
    return port1;
  };
  return {
    notes: {
      create: (note) => server.call((control) => control.createNote(note)),
      get: (id) => server.call((control) => control.getNote(id)),
      update: (id, update) => server.call((control) => control.updateNote(id, update)),
      delete: (id) => server.call((control) => control.deleteNote(id)),
      list: (page) => server.call((control) => control.listNotes(page)),
      search: (query, options) => server.call((control) => control.searchNotes(query, options)),
    },
    files: {
      write: (path, blob, options) =>
        server.call((control) => control.writeFile(path, blob, options)),
      update: (path, update) => server.call((control) => control.updateFile(path, update)),
      read: (path) => server.call((control) => control.readFile(path)),
      move: (from, to, options) => server.call((control) => control.moveFile(from, to, options)),
      delete: (path) => server.call((control) => control.deleteFile(path)),
      list: (page) => server.call((control) => control.listFiles(page)),
    },
    openPort,
    connect: async ({ access, ...options } = {}) =>
      await connectClient(new MessagePortTransport(await openPort(access)), options),
    provide: async ({ read, ...description }) => {
      await server.call((control) => control.provide(description, proxy(read)));
      const { uri } = description;
      // Another may have the uri after this one was removed.
      let isRemoved = false;
      return {
        changed: async () => {
          if (!isRemoved) await settled(server.call((control) => control.providedChanged(uri)));
        },
        remove: async () => {
          if (isRemoved) return;
          isRemoved = true;
          await settled(server.call((control) => control.removeProvided(uri)));
        },
      };
    },
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

/** For what has nothing left to tell once the runtime is closed. */
async function settled(call: Promise<void>): Promise<void> {
  await call.catch(() => undefined);
}

function closedError(): RuntimeError {
  return new RuntimeError('closed', 'The runtime is closed.');
}
