import type { Runtime, RuntimeEventMap } from '@inpage-mcp/runtime';

/** The next event of a type. */
export async function nextEvent<Type extends keyof RuntimeEventMap>(
  runtime: Runtime,
  type: Type,
): Promise<RuntimeEventMap[Type]> {
  return await new Promise((resolve) => {
    runtime.addEventListener(type, resolve, { once: true });
  });
}
