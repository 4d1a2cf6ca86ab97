import { McpConsent } from '../act/mcp-consent/mcp-consent.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-consent', McpConsent);

export type { McpConsent };
export type { McpConsentAnswerEvent } from '../act/mcp-consent/question.js';
