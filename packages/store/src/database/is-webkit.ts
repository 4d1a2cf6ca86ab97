/**
 * Whether this is WebKit (Safari), for bugs of it that cannot be seen before they have done harm. Only its
 * name identifies it; the version in that name has not changed since 2017.
 */
export const IS_WEBKIT = navigator.userAgent.includes('AppleWebKit/605.1.15');
