// The runner only logs an error that is thrown while a test file loads but outside its import (in
// a callback or another script), and a rejection that nothing handles at any time. Such a file must
// not pass: its errors are marked here, in the page, and found again by the reporter.

const mark = 'uncaught:';

// Mocha sets window.onerror when it starts to run, and from then on fails the running test itself.
// A test that expects an unhandled rejection says so with preventDefault(), in a later listener.
export const reportingScript = `
  const report = (error) => console.error('${mark}', String(error?.stack ?? error));
  window.addEventListener('error', (event) => {
    if (window.onerror === null) report(event.error ?? event.message);
  });
  window.addEventListener('unhandledrejection', (event) => {
    queueMicrotask(() => event.defaultPrevented || report(event.reason));
  });
`;

/** @param {unknown[]} log */
export const isUncaught = ([first]) => first === mark;

/** @param {unknown[]} log */
export const uncaughtText = (log) => log.join(' ');
