/** What a server offers besides resources. Each has a place of its own, whose address is its name. */
export const OFFERS = { tools: 'Tools', prompts: 'Prompts', templates: 'Templates' } as const;

export type Offer = keyof typeof OFFERS;

export const isOffer = (uri: string | undefined): uri is Offer =>
  uri !== undefined && Object.hasOwn(OFFERS, uri);
