/** The protocol of a model's endpoint. */
export type ModelWire = 'openai' | 'anthropic';

/** The model that answers, and its endpoint. */
export interface ModelSettings {
  readonly wire: ModelWire;
  /** The address before `/chat/completions` or `/messages`. */
  readonly endpoint: string;
  /** The name of the model at the endpoint. */
  readonly model: string;
  /** The API key; empty if the endpoint needs none. */
  readonly key: string;
}

/**
 * The message by which the document of the model asks its page for the settings, with a port for the answer.
 */
export const SETTINGS_HELLO = 'inpage-mcp-demo model-settings';

/** The host to which the texts go that the model reads. */
export const destinationOf = ({ endpoint }: ModelSettings): string => new URL(endpoint).host;

export const titleOf = ({ model }: ModelSettings): string => `Model “${model}”`;
