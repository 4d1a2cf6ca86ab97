import type { JsonRpcRequest } from '@inpage-mcp/transport';
import { MAX_ID_LENGTH } from './rejections.js';
import { cutText, ErrorCode, invalidParams, ProtocolError } from '../wire/errors.js';
import { META, REVISIONS, type Era } from '../wire/keys.js';
import { anyObject, object, oneOf, optional, string, token } from '../wire/shapes.js';
import { LOG_LEVELS, type Meta } from '../wire/types.js';

/** The maximum length of a requested revision that an error repeats. A revision is a date. */
const MAX_REVISION_LENGTH = 100;

/** The members in which each modern request describes its client (Base Protocol › `_meta`). */
const ENVELOPE = object({
  [META.protocolVersion]: string,
  [META.clientCapabilities]: anyObject,
  [META.clientInfo]: optional(object({ name: string, version: string })),
  [META.logLevel]: optional(oneOf(LOG_LEVELS)),
});

const ANY_META = optional(object({ progressToken: optional(token) }));

/**
 * The era that a connection speaks, which is that of its first request. Exception: a client may send
 * `server/discover` first, and continue in the legacy era.
 */
export class EraChoice {
  #era: Era | undefined;
  #isFinal = false;

  /** The era; `undefined` before the first request. */
  get era(): Era | undefined {
    return this.#era;
  }

  /**
   * The era of a request.
   *
   * @throws {ProtocolError} −32602 for an invalid `_meta`, −32022 for an unsupported revision.
   */
  eraOf({ method, params }: JsonRpcRequest): Era {
    const meta = params?.['_meta'] as Meta | undefined;
    checkMeta(params?.['_meta']);
    if (this.#isFinal && this.#era === 'legacy') return 'legacy';
    const isClaimed = meta !== undefined && meta[META.protocolVersion] !== undefined;
    if (!isClaimed && !this.#isFinal) return this.#choose('legacy');
    if (!isClaimed && method === 'initialize') throw unsupportedError(params?.['protocolVersion']);
    checkEnvelope(meta);
    return method === 'server/discover' ? this.#probe() : this.#choose('modern');
  }

  #choose(era: Era): Era {
    this.#isFinal = true;
    this.#era = era;
    return era;
  }

  #probe(): Era {
    this.#era ??= 'modern';
    return 'modern';
  }
}

function checkMeta(meta: unknown): void {
  const problem = ANY_META(meta, '_meta');
  if (problem !== undefined) throw invalidParams(`Invalid params: ${problem}`);
  const progressToken = (meta as Meta | undefined)?.['progressToken'];
  if (typeof progressToken !== 'string' || progressToken.length <= MAX_ID_LENGTH) return;
  const limit = `longer than ${MAX_ID_LENGTH} UTF-16 code units`;
  throw invalidParams(`Invalid params: _meta.progressToken: ${limit}`);
}

function checkEnvelope(meta: Meta | undefined): void {
  const requested = meta?.[META.protocolVersion];
  if (typeof requested === 'string' && !REVISIONS.modern.includes(requested)) {
    throw unsupportedError(requested);
  }
  const problem = ENVELOPE(meta, '_meta');
  if (problem !== undefined) throw invalidParams(`Invalid params: ${problem}`);
}

/** The error for an unsupported revision: −32022 (Base Protocol › Versioning). */
function unsupportedError(requested: unknown): ProtocolError {
  const data = {
    supported: [...REVISIONS.modern],
    requested: typeof requested === 'string' ? cutText(requested, MAX_REVISION_LENGTH) : 'unknown',
  };
  const text = 'The server does not speak this revision of the protocol.';
  return new ProtocolError(ErrorCode.UnsupportedProtocolVersion, text, data);
}
