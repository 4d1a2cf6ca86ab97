// Ports of a page, for Node. Messages travel as JSON: to the page as the argument of a function, from
// the page through a binding of the DevTools protocol, which keeps their order.

/**
 * A JSON-RPC message.
 * @typedef {object} Message
 * @property {string | number} [id]
 * @property {string} [method]
 * @property {Record<string, any>} [params]
 * @property {object} [result]
 * @property {{ code: number, message: string }} [error]
 *
 * @typedef {object} PortHandlers
 * @property {(message: Message) => void} onmessage
 * @property {() => void} [onclose] called when the server has ended the connection
 *
 * @typedef {object} PagePort
 * @property {(message: Message) => void} send
 * @property {() => void} close
 */

const BINDING = 'sendToNode';

/** Opens connections in a page that has `connectMcp(): MessagePort`. */
export class PagePorts {
  #page;
  /** @type {Map<number, PortHandlers>} */
  #handlers = new Map();
  #lastId = 0;

  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {import('playwright-core').Page} page */
  static async of(page) {
    const ports = new PagePorts(page);
    const session = await page.context().newCDPSession(page);
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === BINDING) ports.#receive(JSON.parse(payload));
    });
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: BINDING });
    await page.evaluate(installPorts);
    return ports;
  }

  /**
   * @param {PortHandlers} handlers
   * @returns {PagePort}
   */
  connect(handlers) {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#handlers.set(id, handlers);
    this.#call('open', id);
    return {
      send: (message) => this.#call('send', id, message),
      close: () => {
        if (this.#handlers.delete(id)) this.#call('close', id);
      },
    };
  }

  /**
   * Calls follow each other in order. If the page has crashed, the connection ends.
   * @param {'open' | 'send' | 'close'} name
   * @param {number} id
   * @param {Message} [message]
   */
  #call(name, id, message) {
    this.#page
      .evaluate(
        (call) => {
          const { nodePorts } = /** @type {{ nodePorts: NodePorts }} */ (
            /** @type {unknown} */ (globalThis)
          );
          if (call.name === 'send') nodePorts.send(call.id, call.json);
          else nodePorts[call.name](call.id);
        },
        { name, id, json: JSON.stringify(message ?? null) },
      )
      .catch((error) => {
        if (!this.#handlers.has(id)) return;
        console.error(error);
        this.#receive([id, null]);
      });
  }

  /** @param {[id: number, message: Message | null]} arrived */
  #receive([id, message]) {
    const handlers = this.#handlers.get(id);
    if (message !== null) return handlers?.onmessage(message);
    this.#handlers.delete(id);
    handlers?.onclose?.();
  }
}

/**
 * What the page has for Node.
 * @typedef {object} NodePorts
 * @property {(id: number) => void} open
 * @property {(id: number, json: string) => void} send
 * @property {(id: number) => void} close
 */

/** Runs in the page. `null` ends a connection, in both directions. */
function installPorts() {
  const { connectMcp, sendToNode } =
    /** @type {{ connectMcp(): MessagePort, sendToNode(payload: string): void }} */ (
      /** @type {unknown} */ (globalThis)
    );
  /** @type {Map<number, MessagePort>} */
  const ports = new Map();
  /** @type {NodePorts} */
  const nodePorts = {
    open(id) {
      const port = connectMcp();
      ports.set(id, port);
      port.addEventListener('message', ({ data }) => sendToNode(JSON.stringify([id, data])));
      port.start();
    },
    send(id, json) {
      ports.get(id)?.postMessage(JSON.parse(json));
    },
    close(id) {
      ports.get(id)?.postMessage(null);
      ports.get(id)?.close();
      ports.delete(id);
    },
  };
  Object.assign(globalThis, { nodePorts });
}
