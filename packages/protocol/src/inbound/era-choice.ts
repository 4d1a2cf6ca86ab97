import type { JsonRpcRequest } from '@inpage-mcp/transport';
import { MAX_ID_LENGTH } from './refusals.js';
import { cutText, ErrorCode, invalidParams, ProtocolError } from '../wire/errors.js';
import { META, REVISIONS, type Era } from '../wire/keys.js';
import { anyObject, object, oneOf, optional, string, token } from '../wire/shapes.js';
import { LOG_LEVELS, type Meta } from '../wire/types.js';

/** A revision is a date; of anything else, no more is repeated than is needed to recognize it. */
const MAX_REVISION_LENGTH = 100;

/** What each request of the modern era says of its client (Base Protocol › `_meta`). */
const ENVELOPE = object({
  [META.protocolVersion]: string,
  [META.clientCapabilities]: anyObject,
  [META.clientInfo]: optional(object({ name: string, version: string })),
  [META.logLevel]: optional(oneOf(LOG_LEVELS)),
});

const ANY_META = optional(object({ progressToken: optional(token) }));

/**
 * Which family of revisions a connection speaks: that of its first request, except that a client may
 * ask what there is (`server/discover`) and go on in the legacy era.
 */
export class EraChoice {
  #era: Era | undefined;
  #isFinal = false;

  /** `undefined` before the first request. */
  get era(): Era | undefined {
    return this.#era;
  }

  /**
   * The era of a request.
   *
   * @throws {ProtocolError} −32602 for a `_meta` that does not fit, −32022 for a revision that is not
   *   spoken.
   */
  eraOf({ method, params }: JsonRpcRequest): Era {
    const meta = params?.['_meta'] as Meta | undefined;
    checkMeta(params?.['_meta']);
    if (this.#isFinal && this.#era === 'legacy') return 'legacy';
    const isClaimed = meta !== undefined && meta[META.protocolVersion] !== undefined;
    if (!isClaimed && !this.#isFinal) return this.#choose('legacy');
    if (!isClaimed && method === 'initialize') throw unsupported(params?.['protocolVersion']);
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
    throw unsupported(requested);
  }
  const problem = ENVELOPE(meta, '_meta');
  if (problem !== undefined) throw invalidParams(`Invalid params: ${problem}`);
}

/** −32022 (Base Protocol › Versioning). */
function unsupported(requested: unknown): ProtocolError {
  const data = {
    supported: [...REVISIONS.modern],
    requested: typeof requested === 'string' ? cutText(requested, MAX_REVISION_LENGTH) : 'unknown',
  };
  const text = 'The server does not speak this revision of the protocol.';
  return new ProtocolError(ErrorCode.UnsupportedProtocolVersion, text, data);
}
