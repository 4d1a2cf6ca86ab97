/** The resource that never changes, in every worker that is compared. */
export const FIXED = { uri: 'app:///fixed', name: 'fixed', mimeType: 'text/plain' };

/** Its contents. */
export const FIXED_TEXT = 'A small text that never changes.';
