import { McpConsent } from '../act/mcp-consent/mcp-consent.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-consent', McpConsent);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpConsent };
export type { McpConsentAnswerEvent } from '../act/mcp-consent/question.js';
