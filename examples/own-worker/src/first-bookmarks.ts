import type { Bookmark } from './bookmarks.js';

/**
 * Addresses as they come, each valid by RFC 3986. A URL parser would rewrite most of them, and so
 * find none: nothing in this example ever passes one through `new URL()`.
 */
export const FIRST_BOOKMARKS: readonly Bookmark[] = [
  {
    uri: 'https://example.org/?q=a%20b&q=c#results',
    title: 'A search',
    text: 'Query and fragment belong to the address.',
  },
  {
    uri: 'https://example.org:443/status',
    title: 'Status',
    text: 'The default port, spelled out.',
  },
  {
    uri: 'https://[2001:DB8::1]:8443/router',
    title: 'Router',
    text: 'An IPv6 host, and a port.',
  },
  {
    uri: 'HTTPS://Example.ORG/%7eann/caf%c3%A9',
    title: "Ann's page",
    text: 'Upper and lower case as somebody typed them, and escapes that need not be.',
  },
  {
    uri: 'git://example.org/README.md',
    title: 'README.md',
    text: '# Example\n\nThe first file of a repository.',
  },
  {
    uri: 'git://example.org/src/a%20file.c?ref=v1.2#L10-L20',
    title: 'src/a file.c',
    text: 'int main(void) { return 0; }',
  },
  {
    uri: 'git://example.org/src/../LICENSE',
    title: 'LICENSE',
    text: 'Dot segments are part of this name.',
  },
  {
    uri: 'urn:isbn:9780262510875',
    title: 'A book',
    text: 'No host, no slash.',
  },
  {
    uri: 'mailto:ann@example.org?subject=Hello,%20Ann',
    title: 'Write to Ann',
    text: 'A mail is an address, too.',
  },
  {
    uri: 'coap+tcp://sensors.example/kitchen;unit=C',
    title: 'Kitchen sensor',
    text: 'A scheme that no browser knows.',
  },
];
