/**
 * Whether this is WebKit (Safari), for its bugs that cannot be detected before they do harm. Only the
 * user agent identifies it; the version in there has not changed since 2017.
 */
export const IS_WEBKIT = navigator.userAgent.includes('AppleWebKit/605.1.15');
