/**
 * The name of the build that this code is from. The worker sends it in its first message, and the page
 * compares it with its own: the two may come from different deployments. The build of the packages replaces
 * the value (scripts/building/build-id.mjs).
 */
export const BUILD_ID: string = 'source';
