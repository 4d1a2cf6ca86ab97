import { ClientError, McpError } from '@inpage-mcp/client';
import { inOneLine } from '../context/source.js';

/** The codes of the errors after which the tool may have run. */
const UNCERTAIN: readonly string[] = ['closed', 'connection-lost', 'timeout', 'invalid-result'];

/** The reason why a call has no answer, as a text for the model. */
export function failureInWords(error: unknown): string {
  const reason = inOneLine(error instanceof Error ? error.message : String(error));
  if (error instanceof McpError) return `The server has refused the call: ${reason}`;
  const isUncertain = !(error instanceof ClientError) || UNCERTAIN.includes(error.code);
  const advice = isUncertain ? ' The tool may have run: find out before you call it again.' : '';
  return `There is no answer to the call: ${reason}${advice}`;
}
