/**
 * The browser's globals. `navigator` is absent in Node 20, where a server may import this package to render a
 * page.
 */
const browser = globalThis as Partial<typeof globalThis>;

/**
 * Whether this is WebKit (Safari), for its bugs that cannot be detected before they do harm. Only the
 * user agent identifies it; the version in there has not changed since 2017.
 */
export const IS_WEBKIT = !!browser.navigator?.userAgent.includes('AppleWebKit/605.1.15');
