/**
 * The address, such as `http://127.0.0.1:41234`, of a second origin that serves the same files as
 * the tests' own. It is of another site too: a frame from it has its own process and storage.
 */
export const secondOrigin: string = await (await fetch('/__second-origin')).text();
