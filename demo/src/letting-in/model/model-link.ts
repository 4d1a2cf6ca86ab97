import type { ClientTransport } from '@inpage-mcp/client';
import type { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { SETTINGS_HELLO, type ModelSettings, type WireReport } from '../../model/model-settings.js';

/** Sends the frame of a model its settings once the user has let it in, and records what it reports. */
export class ModelLink {
  readonly #frame: HTMLIFrameElement;
  readonly #settings: ModelSettings;
  readonly #wire: WireRecorder;
  readonly #ended = new AbortController();
  /** Of the document that is in the frame now. */
  #port: MessagePort | undefined;
  #isAdmitted = false;

  /** @param wire Where the messages stand that the frame says it has sent and received. */
  constructor(frame: HTMLIFrameElement, settings: ModelSettings, wire: WireRecorder) {
    this.#frame = frame;
    this.#settings = settings;
    this.#wire = wire;
    addEventListener('message', (event) => this.#onMessage(event), { signal: this.#ended.signal });
  }

  /** The user has let it in. */
  admit(): void {
    this.#isAdmitted = true;
    this.#port?.postMessage(this.#settings);
  }

  close(): void {
    this.#ended.abort();
    this.#port?.close();
  }

  /** Only the document in the frame has the other end of its port: the key goes to no other. */
  #onMessage(event: MessageEvent): void {
    if (event.origin !== 'null' || event.source !== this.#frame.contentWindow) return;
    const [port] = event.ports;
    if (event.data !== SETTINGS_HELLO || !port) return;
    this.#port?.close();
    this.#port = port;
    port.addEventListener('message', recorder(this.#wire));
    port.start();
    if (this.#isAdmitted) port.postMessage(this.#settings);
  }
}

/**
 * Shows what the frame reports in the Wire. Its messages do not pass the page, so this is what it says of
 * itself; what it really did, the activity log of the server knows.
 */
function recorder(wire: WireRecorder): (event: MessageEvent<WireReport>) => void {
  const reported: ClientTransport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
  const recording = wire.wrap(reported);
  void recording.start();
  return ({ data: { direction, message } }) => {
    const shown = message as Parameters<ClientTransport['send']>[0];
    if (direction === 'sent') void recording.send(shown);
    else reported.onmessage?.(shown);
  };
}
