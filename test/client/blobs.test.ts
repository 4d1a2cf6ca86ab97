import {
  blobOf,
  bytesOf,
  connectClient,
  isBlobContents,
  rangeOf,
  type McpClient,
  type ReadOptions,
  type ResourceContents,
} from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { useLinkedClient } from '../support/linked-server.js';
import { leastTime } from '../support/slowness.js';
import { connectScripted } from './scripted-peer.js';

const BYTES = Uint8Array.of(0, 255, 128, 7);

describe('bytes in the client', () => {
  const setup = useLinkedClient();
  let withBlobs: McpClient;

  beforeEach(async () => {
    const { files } = setup.linked.server.store;
    await files.write('a.bin', new Blob([BYTES]));
    await files.write('a.txt', new Blob(['Text ☃']));
    const transport = new MessagePortTransport(setup.linked.openPort());
    withBlobs = await connectClient(transport, { blobs: true });
  });

  afterEach(() => withBlobs.close());

  const read = async (
    client: McpClient,
    uri: string,
    options?: ReadOptions,
  ): Promise<ResourceContents> => (await client.readResource(uri, options)).contents[0]!;
  const bytesIn = async (blob: Blob): Promise<number[]> => [
    ...new Uint8Array(await blob.arrayBuffer()),
  ];

  it('come as a Blob only for who asked for that', async () => {
    const asked = await read(withBlobs, 'file:///a.bin');
    expect(asked).to.include({ blob: '' });
    expect(isBlobContents(asked)).to.equal(true);
    expect(await bytesIn(blobOf(asked))).to.deep.equal([...BYTES]);
    expect(() => bytesOf(asked)).to.throw(TypeError, /file:\/\/\/a\.bin .* blobOf/);
    const inline = await read(setup.client, 'file:///a.bin');
    expect([...bytesOf(inline)]).to.deep.equal([...BYTES]);
    expect(await bytesIn(blobOf(inline))).to.deep.equal([...BYTES]);
  });

  it('of a text are its UTF-8', async () => {
    const contents = await read(withBlobs, 'file:///a.txt');
    expect(contents).to.include({ text: 'Text ☃' });
    expect(await blobOf(contents).text()).to.equal('Text ☃');
  });

  it('are decoded in a moment by a browser without Uint8Array.fromBase64, too', async () => {
    const native = Object.getOwnPropertyDescriptor(Uint8Array, 'fromBase64');
    const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => index * 7);
    let characters = '';
    for (let start = 0; start < bytes.length; start += 0x8000)
      characters += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
    const contents = { uri: 'a:b', blob: btoa(characters) };
    if (native) Reflect.deleteProperty(Uint8Array, 'fromBase64');
    try {
      const decoded = bytesOf(contents);
      expect([decoded.length, decoded.findIndex((byte, at) => byte !== bytes[at])]).to.deep.equal([
        bytes.length,
        -1,
      ]);
      expect(await leastTime(1_000, () => bytesOf(contents))).to.be.below(1_000);
    } finally {
      if (native) Object.defineProperty(Uint8Array, 'fromBase64', native);
    }
  });

  it('have no type, in whatever form they came', async () => {
    await setup.linked.server.store.files.write('a.html', new Blob(['<p>']));
    for (const client of [withBlobs, setup.client]) {
      expect(blobOf(await read(client, 'file:///a.html')).type).to.equal('');
      expect(blobOf(await read(client, 'file:///a.bin')).type).to.equal('');
    }
  });

  it('are read in ranges, with and without Blobs', async () => {
    for (const client of [withBlobs, setup.client]) {
      const part = await read(client, 'file:///a.bin', { range: { offset: 1, length: 9 } });
      expect(rangeOf(part)).to.deep.equal({ offset: 1, length: 3, size: 4 });
      expect(await bytesIn(blobOf(part))).to.deep.equal([255, 128, 7]);
      expect(rangeOf(await read(client, 'file:///a.bin'))).to.equal(undefined);
      const range = { offset: 4, length: 1 };
      const error = await failureOf(client.readResource('file:///a.bin', { range }));
      expect(error).to.deep.include({ code: -32602, data: { uri: 'file:///a.bin', size: 4 } });
    }
  });

  it('are asked for in the words of the protocol, beside whatever else a request carries', async () => {
    const scripted = await connectScripted({ blobs: true }, [
      { resultType: 'complete', contents: [] },
    ]);
    const range = { offset: 1, length: 2 };
    await scripted.client.readResource('a:b', { range, onprogress: () => undefined });
    const { id, params } = scripted.requests[0]!;
    expect(params!['_meta']).to.deep.include({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.github.inpage-mcp/blob': {} },
      },
      'io.github.inpage-mcp/range': range,
      progressToken: id,
    });
    await scripted.client.close();
  });
});
