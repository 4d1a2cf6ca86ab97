import type { McpClient } from '@inpage-mcp/client';
import { fixture, html } from '@open-wc/testing';
import type { McpProvider } from '@inpage-mcp/elements';
import { connectRemote, type Remote, type RemoteOptions } from './remote-client.js';

/** A remote server for each test, and the elements that a provider gives its client to. */
export interface RemoteElements {
  readonly client: McpClient;
  readonly sdk: Remote['sdk'];
  /** An element inside of a provider with the client. */
  show<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    properties?: object,
  ): Promise<HTMLElementTagNameMap[Tag]>;
}

/** As {@link connectRemote}, for each test of the suite that calls this. */
export function useRemoteElements(options: RemoteOptions): RemoteElements {
  let remote: Remote;

  beforeEach(async () => {
    remote = await connectRemote(options);
  });

  afterEach(async () => {
    await remote.client.close();
  });

  return {
    get client() {
      return remote.client;
    },
    get sdk() {
      return remote.sdk;
    },
    async show(tag, properties = {}) {
      const element = document.createElement(tag);
      Object.assign(element, properties);
      const provider = await fixture<McpProvider>(html`<mcp-provider>${element}</mcp-provider>`);
      provider.client = remote.client;
      return element;
    },
  };
}

/** The text inside of an element, as one line, without marks of direction. */
export function wordsOf(element: Element): string {
  const text = (element.shadowRoot ?? element).textContent ?? '';
  return text
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
