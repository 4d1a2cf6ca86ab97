// The page that every test file runs in, with what has to be there before the test.
import { reportingScript } from './uncaught-errors.mjs';

// Chromium begins a new log for each store that opens (docs/decisions/0024). That takes longer than most
// tests, whose browser no one has killed: test/support/log-rotation.ts brings it back where it is tested.
const noNewLogs = `
  if ('IDBVersionChangeEvent' in window) {
    const { prototype } = IDBVersionChangeEvent;
    window.dataLoss = Object.getOwnPropertyDescriptor(prototype, 'dataLoss');
    delete prototype.dataLoss;
  }
`;

/**
 * The page that every test file runs in.
 * @param {string} testRunnerImport
 */
export const testPage = (testRunnerImport) => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Tests</title></head>
  <body>
    <script>${reportingScript}</script>
    <script>${noNewLogs}</script>
    <script type="module" src="${testRunnerImport}"></script>
  </body>
</html>`;
