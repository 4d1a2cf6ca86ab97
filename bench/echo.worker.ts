/** Sends back whatever comes over a port that it is given: what any round trip costs at least. */
addEventListener('message', ({ ports: [port] }) => {
  if (port) port.onmessage = ({ data }) => port.postMessage(data);
});
