// The runner only logs an error that is thrown while a test file loads but outside its import (in
// a callback or another script), and a rejection that nothing handles at any time. Such a file must
// not pass: its errors are marked here, in the page, and found again by the reporter.

const mark = 'uncaught:';

// Mocha sets window.onerror when it starts to run, and from then on fails the running test itself.
// A test that expects an unhandled rejection says so with preventDefault(), in a later listener.
const script = `
  const report = (error) => console.error('${mark}', String(error?.stack ?? error));
  window.addEventListener('error', (event) => {
    if (window.onerror === null) report(event.error ?? event.message);
  });
  window.addEventListener('unhandledrejection', (event) => {
    queueMicrotask(() => event.defaultPrevented || report(event.reason));
  });
`;

/**
 * The page that every test file runs in.
 * @param {string} testRunnerImport
 */
export const testPage = (testRunnerImport) => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Tests</title></head>
  <body>
    <script>${script}</script>
    <script type="module" src="${testRunnerImport}"></script>
  </body>
</html>`;

/** @param {unknown[]} log */
export const isUncaught = ([first]) => first === mark;

/** @param {unknown[]} log */
export const uncaughtText = (log) => log.join(' ');
