import { StoreError, type StoreErrorCode } from '@inpage-mcp/store';

/**
 * Resolves with `undefined` if the entry does not exist.
 *
 * @param codes The errors that mean this. Default: `not-found`.
 */
export async function ignoreNotFound<Value>(
  found: Promise<Value>,
  codes: readonly StoreErrorCode[] = ['not-found'],
): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof StoreError && codes.includes(error.code)) return undefined;
    throw error;
  }
}
