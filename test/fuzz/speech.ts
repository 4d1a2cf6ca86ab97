/** How a connection is spoken to. */
export interface Speech {
  /** The protocol revision. */
  revision: '2026-07-28' | '2025-11-25' | '2025-06-18' | '2025-03-26' | '2024-11-05';
  /** Whose limits hold for it. */
  limits: 'page' | 'guest';
}

/** The one revision in which an array is a batch. */
const REVISION_WITH_BATCHES = '2025-03-26';

export const isModern = ({ revision }: Speech): boolean => revision === '2026-07-28';

export const hasBatches = ({ revision }: Speech): boolean => revision === REVISION_WITH_BATCHES;

/** A new one each time, as all of this: others change it in place. */
const clientInfo = (): object => ({ name: 'fuzz', version: '1' });

/** The `_meta` that every request of the modern era carries. */
export function modernMeta(): { [key: string]: unknown } {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo(),
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

/** What a legacy client says first. */
export function initializeParams({ revision }: Speech): { [key: string]: unknown } {
  return { protocolVersion: revision, capabilities: {}, clientInfo: clientInfo() };
}
