import { fromEvent, type FileWithPath } from 'file-selector';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { FileToSave } from './file-target.js';

/** An element that takes files, perhaps for the whole page. */
interface Host extends ReactiveControllerHost, HTMLElement {
  page: boolean;
}

/** The callbacks of a drop zone. */
interface Callbacks {
  /** Whether the element accepts files now. */
  canTake: () => boolean;
  /** Accepts the files of a drop or a paste. */
  take: (event: Event) => void;
  /** Called when files are dragged into the zone, and when they leave it. */
  ondragging: (isDragging: boolean) => void;
}

/** Accepts files that are dropped on an element or pasted into it; with `page`, anywhere on the page. */
export class DropZone implements ReactiveController {
  readonly #host: Host;
  readonly #callbacks: Callbacks;
  #isDragging = false;
  #listening = new AbortController();

  constructor(host: Host, callbacks: Callbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
  }

  hostConnected(): void {
    this.#listening = new AbortController();
    for (const target of [this.#host, window]) this.#listen(target, this.#listening.signal);
  }

  hostDisconnected(): void {
    this.#listening.abort();
    this.#setDragging(false);
  }

  #listen(target: EventTarget, signal: AbortSignal): void {
    const on = (type: string, listener: (event: never) => void): void => {
      const listenHere = (event: Event): void => {
        const isMine = target === this.#host || this.#host.page;
        if (isMine && !event.defaultPrevented) listener(event as never);
      };
      target.addEventListener(type, listenHere, { signal });
    };
    on('dragenter', (event: DragEvent) => this.#onDrag(event));
    on('dragover', (event: DragEvent) => this.#onDrag(event));
    on('drop', (event: DragEvent) => this.#take(event, event.dataTransfer));
    on('paste', (event: ClipboardEvent) => {
      if (!isTextForField(event)) this.#take(event, event.clipboardData);
    });
    target.addEventListener('dragleave', (event) => this.#onDragLeave(event as DragEvent), {
      signal,
    });
  }

  #onDrag(event: DragEvent): void {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    const canTake = this.#callbacks.canTake();
    event.dataTransfer.dropEffect = canTake ? 'copy' : 'none';
    this.#setDragging(canTake);
  }

  #onDragLeave({ relatedTarget, currentTarget }: DragEvent): void {
    // Entering a child fires an event for leaving its parent.
    const isInside =
      relatedTarget instanceof Node &&
      (currentTarget === window ? this.#host.page : this.#host.contains(relatedTarget));
    if (!isInside) this.#setDragging(false);
  }

  #take(event: Event, transfer: DataTransfer | null): void {
    this.#setDragging(false);
    if (!hasFiles(transfer)) return;
    event.preventDefault();
    this.#callbacks.take(event);
  }

  #setDragging(isDragging: boolean): void {
    if (isDragging === this.#isDragging) return;
    this.#isDragging = isDragging;
    this.#callbacks.ondragging(isDragging);
  }
}

/** Whether a text is pasted into a field. Spreadsheets and word processors also copy a picture of the text. */
function isTextForField(event: ClipboardEvent): boolean {
  const hasText = event.clipboardData?.types.includes('text/plain') === true;
  return hasText && event.composedPath().some(isEditable);
}

function isEditable(target: EventTarget): boolean {
  return target instanceof Element && target.matches(':read-write');
}

function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') === true;
}

/**
 * The files of a drop, a paste or an `<input>`; folders with all files in them. Must be called while the
 * event is dispatched.
 */
export async function filesOf(event: Event): Promise<FileToSave[]> {
  const found = await fromEvent(event);
  return found
    .filter((file): file is FileWithPath => file instanceof File)
    .map((file) => ({ path: pathOf(file), file }));
}

function pathOf(file: File & Partial<FileWithPath>): string {
  return (file.path ?? file.webkitRelativePath).replace(/^\.?\//, '') || file.name;
}
