import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Takes files that are dropped anywhere on the page, or pasted. */
export class FileDropController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #onFiles: (event: Event) => void;
  #dragging = false;

  /** @param onFiles Called with the drop or paste, whose files have to be read in the same turn. */
  constructor(host: ReactiveControllerHost, onFiles: (event: Event) => void) {
    this.#host = host;
    this.#onFiles = onFiles;
    host.addController(this);
  }

  /** Whether files are being dragged over the page. */
  get dragging(): boolean {
    return this.#dragging;
  }

  hostConnected(): void {
    window.addEventListener('dragenter', this.#onDrag);
    window.addEventListener('dragover', this.#onDrag);
    window.addEventListener('dragleave', this.#onDragLeave);
    window.addEventListener('drop', this.#onDrop);
    window.addEventListener('paste', this.#onPaste);
  }

  hostDisconnected(): void {
    window.removeEventListener('dragenter', this.#onDrag);
    window.removeEventListener('dragover', this.#onDrag);
    window.removeEventListener('dragleave', this.#onDragLeave);
    window.removeEventListener('drop', this.#onDrop);
    window.removeEventListener('paste', this.#onPaste);
  }

  readonly #onDrag = (event: DragEvent): void => {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.#setDragging(true);
  };

  readonly #onDragLeave = ({ relatedTarget }: DragEvent): void => {
    // Entering a child leaves its parent; only leaving the window has nowhere to go.
    if (relatedTarget === null) this.#setDragging(false);
  };

  readonly #onDrop = (event: DragEvent): void => {
    this.#setDragging(false);
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    this.#onFiles(event);
  };

  readonly #onPaste = (event: ClipboardEvent): void => {
    if (holdsFiles(event.clipboardData)) this.#onFiles(event);
  };

  #setDragging(dragging: boolean): void {
    if (dragging === this.#dragging) return;
    this.#dragging = dragging;
    this.#host.requestUpdate();
  }
}

function holdsFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') === true;
}
