/** Passes on what the page says to the other workers on the channel, and what they say to the page. */
const channel = new BroadcastChannel('bench-relay');

addEventListener('message', ({ data }) => channel.postMessage(data));
channel.addEventListener('message', ({ data }) => postMessage(data));
postMessage('running');
