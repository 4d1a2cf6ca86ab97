/** The features of a server other than resources. Each has a pane of its own, whose address is its name. */
export const OFFERS = { tools: 'Tools', prompts: 'Prompts', templates: 'Templates' } as const;
export type Offer = keyof typeof OFFERS;

export const isOffer = (uri: string | undefined): uri is Offer =>
  uri !== undefined && Object.hasOwn(OFFERS, uri);

/** The resource that is open. */
export interface Opened {
  uri: string;
  title: string;
  /** Whether it opens in the editor. Default: no. */
  edit?: boolean;
}

/** The pane that is open at the side. */
export type Side = 'clients' | 'activity' | 'wire';
