import { McpError } from '../api/client-error.js';

/** The code of a request that the server of this project accepts later (docs/resources.md, "Errors"). */
const TRY_AGAIN_LATER = -32000;

/** Whether the server has rejected a request only for the moment. Other servers use the code for other errors. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof McpError) || error.code !== TRY_AGAIN_LATER) return false;
  return (error.data as { limit?: unknown } | undefined)?.limit !== undefined;
}
