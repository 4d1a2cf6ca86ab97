import { SETTINGS_HELLO, type ModelSettings } from '../model/model-settings.js';

/** Sends the frame of a model its settings, once the user has let it in. */
export class ModelLink {
  readonly #settings: ModelSettings;
  readonly #ended = new AbortController();
  /** The port to the document that is in the frame now. */
  #port: MessagePort | undefined;
  #isAdmitted = false;

  constructor(frame: HTMLIFrameElement, settings: ModelSettings) {
    this.#settings = settings;
    const listen = ({ data, origin, ports: [port], source }: MessageEvent): void => {
      // Only the document in the frame has the other end of its port, so that the key goes to no other
      // document.
      if (origin !== 'null' || source !== frame.contentWindow) return;
      if (data !== SETTINGS_HELLO || !port) return;
      this.#port?.close();
      this.#port = port;
      if (this.#isAdmitted) port.postMessage(settings);
    };
    addEventListener('message', listen, { signal: this.#ended.signal });
  }

  /** Sends the settings, because the user has let the model in. */
  admit(): void {
    this.#isAdmitted = true;
    this.#port?.postMessage(this.#settings);
  }

  close(): void {
    this.#ended.abort();
    this.#port?.close();
  }
}
