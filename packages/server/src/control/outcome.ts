import { StoreError } from '@inpage-mcp/store';
import type { Outcome, Quota } from './control-plane.js';

/** Runs a call and converts its result or its exception to plain data. */
export async function settle<Value>(call: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    return { ok: false, error: describe(error) };
  }
}

function describe(error: unknown): { code: string; message: string; quota?: Quota } {
  const message = error instanceof Error ? error.message : 'Unknown error';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const described = { code: typeof code === 'string' ? code : 'failed', message };
  return error instanceof StoreError && error.quota
    ? { ...described, quota: error.quota }
    : described;
}
