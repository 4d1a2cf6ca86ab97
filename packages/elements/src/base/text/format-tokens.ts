import { msg, str } from '@lit/localize';
import { formatNumber } from './format.js';

/** An estimate with two significant digits: `≈ 1,200 tokens`. */
export function formatTokens(tokens: number): string {
  const count = formatNumber(roundTokens(tokens));
  return msg(str`≈ ${count} tokens`, { id: 'mcp.resource-picker.tokens' });
}

/** Rounds a number to two significant digits, because the estimate is not more precise. */
export function roundTokens(tokens: number): number {
  return Number(tokens.toPrecision(2));
}
