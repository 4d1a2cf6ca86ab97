import { msg, str } from '@lit/localize';
import { formatNumber } from './format.js';

/** An estimate with two digits that count: `≈ 1,200 tokens`. */
export function formatTokens(tokens: number): string {
  const count = formatNumber(roundTokens(tokens));
  return msg(str`≈ ${count} tokens`, { id: 'mcp.resource-picker.tokens' });
}

/** Two digits count; the estimate is not better. */
export function roundTokens(tokens: number): number {
  return Number(tokens.toPrecision(2));
}
