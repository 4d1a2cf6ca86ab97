import type { Runtime } from '@inpage-mcp/runtime';
import { type Answer, type FromFrame, READY, type Start, type Theme } from './example-messages.js';
import { sharedScene } from './live-examples.js';

/** The maximum number of messages of an example that are shown, the newest. */
const MAX_MESSAGES = 50;

const OF_RUNTIME = 'Its notes and files are the samples of this documentation, in this browser.';

/** An example that its reader edits, with the frame that runs it. */
export class ExampleEditor {
  readonly element = document.createElement('section');
  readonly #code: string;
  readonly #root: URL;
  readonly #field = document.createElement('textarea');
  readonly #messages = document.createElement('div');
  #frame: HTMLIFrameElement | undefined;
  /** Ends the permissions of the current frame. */
  #running = new AbortController();

  /**
   * @param code The code of a whole page.
   * @param root The address of the docs.
   * @param close Called by its last button.
   */
  constructor(code: string, root: URL, close: () => void) {
    this.#code = code;
    this.#root = root;
    this.element.className = 'example';
    this.element.ariaLabel = 'Example that you can edit';
    this.#field.ariaLabel = 'Code of the example';
    this.#field.spellcheck = false;
    // A line is longer than a telephone is wide.
    this.#field.wrap = 'off';
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.run();
    });
    this.#messages.role = 'log';
    this.#messages.ariaLabel = 'What the example has printed';
    this.#messages.className = 'messages';
    const bar = document.createElement('div');
    bar.className = 'bar';
    const end = (): void => {
      this.#running.abort();
      close();
    };
    const note = document.createElement('small');
    note.textContent = `Ctrl+Enter or ⌘+Enter runs it. ${OF_RUNTIME}`;
    bar.append(
      button('Run', () => this.run()),
      button('Reset', () => this.reset()),
      button('Close', end),
      note,
    );
    this.element.append(this.#field, bar, this.#messages);
  }

  /** Shows the original code, runs it, and takes the focus. */
  reset(): void {
    this.#field.value = this.#code;
    this.#field.rows = Math.min(this.#code.split('\n').length, 24);
    this.run();
    this.#field.focus({ preventScroll: true });
  }

  /** Runs the written code in a new frame, so that nothing of the last run is left. */
  run(): void {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#messages.replaceChildren();
    const frame = document.createElement('iframe');
    frame.title = 'Result of the example';
    // The frame has no origin, so that its code reaches neither the data of this site nor its pages.
    frame.sandbox.add('allow-scripts');
    frame.src = new URL('example.html', this.#root).href;
    let isReady = false;
    const onReady = ({ source, data }: MessageEvent): void => {
      if (isReady || source !== frame.contentWindow || data !== READY) return;
      isReady = true;
      this.#start(frame, signal);
    };
    addEventListener('message', onReady, { signal });
    const onLoad = (): void => {
      if (!isReady) this.#print(true, 'The frame could not be loaded. Is there a connection?');
    };
    frame.addEventListener('load', onLoad, { signal, once: true });
    if (this.#frame) this.#frame.replaceWith(frame);
    else this.#messages.before(frame);
    this.#frame = frame;
  }

  #start(frame: HTMLIFrameElement, signal: AbortSignal): void {
    const root = document.documentElement;
    const { port1: port, port2 } = new MessageChannel();
    port.onmessage = ({ data }: MessageEvent<FromFrame>) => {
      if (data.type === 'print') this.#print(data.isError, data.text);
      else void answer(port, data);
    };
    const theme = (): Theme => ({ colorScheme: getComputedStyle(root).colorScheme });
    const changes = new MutationObserver(() => port.postMessage(theme()));
    changes.observe(root, { attributeFilter: ['data-theme'] });
    signal.addEventListener('abort', () => {
      changes.disconnect();
      port.close();
    });
    const start: Start = { code: this.#field.value, ...theme() };
    // A frame without an origin has no other name, so the message contains only the port.
    frame.contentWindow!.postMessage('', '*', [port2]);
    port.postMessage(start);
  }

  #print(isError: boolean, text: string): void {
    const line = document.createElement('p');
    line.textContent = isError ? `Error: ${text}` : text;
    line.className = isError ? 'error' : '';
    this.#messages.append(line);
    while (this.#messages.childElementCount > MAX_MESSAGES) this.#messages.firstChild!.remove();
  }
}

/** Carries out a call of the frame, which has no worker and no database of its own. */
async function answer(
  port: MessagePort,
  { id, part, operation, args }: FromFrame & { type: 'call' },
): Promise<void> {
  const send = (result: Omit<Answer, 'id'>, transfer: Transferable[] = []): void =>
    port.postMessage({ id, ...result }, transfer);
  try {
    const { runtime } = await sharedScene();
    if (operation === 'openPort') {
      const opened = await runtime.openPort({
        ...(args[0] as object),
        limits: 'page',
        heldBy: 'page',
      });
      send({ value: { port: opened, connection: runtime.connectionOf(opened) } }, [opened]);
    } else send({ value: await run(runtime, part, operation, args) });
  } catch (error) {
    const { code } = error as { code?: unknown };
    send({ error: { message: error instanceof Error ? error.message : String(error), code } });
  }
}

/** Runs an operation of the notes or the files, and nothing else of the runtime. */
async function run(
  runtime: Runtime,
  part: string,
  operation: string,
  args: unknown[],
): Promise<unknown> {
  const operations: object = part === 'notes' ? runtime.notes : runtime.files;
  if (!Object.hasOwn(operations, operation)) throw new Error(`There is no “${part}.${operation}”.`);
  return await (operations as Record<string, (...args: unknown[]) => unknown>)[operation]!(...args);
}

function button(words: string, onclick: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = words;
  element.addEventListener('click', onclick);
  return element;
}
