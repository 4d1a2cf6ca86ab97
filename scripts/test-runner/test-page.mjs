// The page in which every test file runs, with the scripts that it needs before the test.
import { reportingScript } from './uncaught-errors.mjs';

// Chromium begins a new log for each store that opens (docs/decisions/0024). That takes longer than most
// tests, and is needed only for a browser that was killed. test/support/log-rotation.ts enables it again for
// its tests.
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
