/** How a model is spoken to. `built-in`: the Prompt API of the browser. */
export type ModelWire = 'openai' | 'anthropic' | 'built-in';

/** Which model answers, and where it is. */
export interface ModelSettings {
  readonly wire: ModelWire;
  /** The address before `/chat/completions` or `/messages`; empty for the model of the browser. */
  readonly endpoint: string;
  /** The name of the model at the endpoint. */
  readonly model: string;
  /** Empty if the endpoint needs none. */
  readonly key: string;
}

/** The document of the model asks its page for the settings with this, and gives a port for the answer. */
export const SETTINGS_HELLO = 'inpage-mcp-demo model-settings';

/** What a document of the model reports of its connection, over the port that it gave. */
export interface WireReport {
  readonly direction: 'sent' | 'received';
  readonly message: unknown;
}

/** The model of the browser has no host: nothing leaves the machine. */
export const hostOf = ({ endpoint }: ModelSettings): string =>
  endpoint === '' ? '' : new URL(endpoint).host;

/** Where the words go that the model reads. */
export function destinationOf(settings: ModelSettings): string {
  return settings.wire === 'built-in' ? 'the model inside this browser' : hostOf(settings);
}

export const titleOf = ({ wire, model }: ModelSettings): string =>
  wire === 'built-in' ? 'The browser’s model' : `Model “${model}”`;
