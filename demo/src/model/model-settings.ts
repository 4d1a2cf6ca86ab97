/** How a model is spoken to. */
export type ModelWire = 'openai' | 'anthropic';

/** Which model answers, and where it is. */
export interface ModelSettings {
  readonly wire: ModelWire;
  /** The address before `/chat/completions` or `/messages`. */
  readonly endpoint: string;
  /** The name of the model at the endpoint. */
  readonly model: string;
  /** Empty if the endpoint needs none. */
  readonly key: string;
}

/** The document of the model asks its page for the settings with this, and gives a port for the answer. */
export const SETTINGS_HELLO = 'inpage-mcp-demo model-settings';

/** Where the words go that the model reads. */
export const destinationOf = ({ endpoint }: ModelSettings): string => new URL(endpoint).host;

export const titleOf = ({ model }: ModelSettings): string => `Model “${model}”`;
