import { McpConsent } from '../mcp-consent/mcp-consent.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-consent', McpConsent);
