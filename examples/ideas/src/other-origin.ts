// `assistant.localhost` is the same server as `localhost`, but another origin. In your app, write down the
// exact origin of the other side, and never take it from an address or a message.
const PREFIX = 'assistant.';
const { protocol, host } = location;
const otherHost = host.startsWith(PREFIX) ? host.slice(PREFIX.length) : `${PREFIX}${host}`;

export const otherOrigin = `${protocol}//${otherHost}`;
