/** The functions that scripts have left, by their addresses: a worker runs each script once. */
const left = new Map<string, unknown>();

let turn: Promise<unknown> = Promise.resolve();

/**
 * Imports a script into the worker, and takes the function that it leaves under a key of the global object.
 * It cannot export the function, because a bundler may turn the script into one that exports nothing.
 *
 * @returns `undefined` if the script has left nothing.
 * @throws The error of `import()`, or that of the script.
 */
export async function loadScript(address: string, key: string): Promise<unknown> {
  // The scripts are loaded one after the other, because they leave their functions under the same key.
  const loading = turn.then(async () => {
    await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
    if (left.has(address)) return;
    left.set(address, (globalThis as { [key: string]: unknown })[key]);
    Reflect.deleteProperty(globalThis, key);
  });
  turn = loading.catch(() => undefined);
  await loading;
  return left.get(address);
}
