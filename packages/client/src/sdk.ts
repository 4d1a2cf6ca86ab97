// The client of the official SDK, as a client of this package.
export { fromSdkClient } from './from-sdk-client.js';
export type { SdkClient, SdkSubscription, SdkTransport } from './sdk/sdk-types.js';
