// Addresses that are set in environment variables of the build.

/**
 * The page of the demo with its assistant on another host: it names the address, and its policy lets
 * that origin into a frame. Without an address, the assistant lies beside the demo.
 * @param {string} html of the page, with its policy
 * @param {string | undefined} address of the assistant's page
 */
export function withAssistantAt(html, address) {
  if (address === undefined) return html;
  const { href, origin } = new URL(address);
  return html
    .replace('frame-src ', `frame-src ${origin} `)
    .replace('<demo-app', `<demo-app assistant="${href}"`);
}

/**
 * The page of the demo with a link to its source code. Without an address, there is no link.
 * @param {string} html of the page
 * @param {string | undefined} address of the source code, `https:` or `http:`
 */
export function withSourceAt(html, address) {
  if (address === undefined) return html;
  const { href, protocol } = new URL(address);
  if (!/^https?:$/.test(protocol))
    throw new Error(`SOURCE_URL has to be a web address: ${address}`);
  return html.replace('<demo-app', `<demo-app source="${href}"`);
}
