import { expect } from '@esm-bundle/chai';
import { ClientError, eachPage, type ListPage, type McpClient } from '@inpage-mcp/client';
import { failureOf } from '../support/failure.js';
import { connectClient } from '@inpage-mcp/client';
import { discovering } from './scripted-peer.js';

const LISTS: { key: string; entry: object; walk: (client: McpClient) => AsyncIterable<unknown> }[] =
  [
    {
      key: 'resources',
      entry: { uri: 'a:b', name: 'n' },
      walk: (client) => client.resources(),
    },
    {
      key: 'resourceTemplates',
      entry: { uriTemplate: 'a:{b}', name: 'n' },
      walk: (client) => eachPage((cursor) => client.listResourceTemplates({ cursor })),
    },
    {
      key: 'tools',
      entry: { name: 'n', inputSchema: { type: 'object' } },
      walk: (client) => eachPage((cursor) => client.listTools({ cursor })),
    },
    {
      key: 'prompts',
      entry: { name: 'n' },
      walk: (client) => eachPage((cursor) => client.listPrompts({ cursor })),
    },
  ];

/** A client of a server that makes each page from its cursor, and counts them. */
async function connectPaged(page: (cursor: string | undefined, asked: number) => object) {
  const cursors: (string | undefined)[] = [];
  const { transport } = discovering((message, port) => {
    if (!('method' in message) || !('id' in message)) return;
    const cursor = message.params!['cursor'] as string | undefined;
    cursors.push(cursor);
    const result = page(cursor, cursors.length);
    port.postMessage({ jsonrpc: '2.0', id: message.id, result });
  });
  return { client: await connectClient(transport), cursors };
}

/** Walks to the end, and returns how many pages came before the error, if one came. */
async function walked(pages: AsyncIterable<unknown>): Promise<{ count: number; error?: unknown }> {
  let count = 0;
  try {
    for await (const _ of pages) count += 1;
    return { count };
  } catch (error) {
    return { count, error };
  }
}

for (const { key, entry, walk } of LISTS) {
  describe(`the pages of ${key}`, () => {
    it('end when the server names a cursor again', async () => {
      for (const next of ['a', 'b']) {
        // From no cursor to a, from a to b, and from there back, or over and over to the same.
        const { client, cursors } = await connectPaged((cursor) => ({
          [key]: [entry],
          nextCursor: cursor === undefined ? 'a' : cursor === 'a' ? 'b' : next,
        }));
        const { count, error } = await walked(walk(client));
        expect(error).to.be.instanceOf(ClientError).and.include({ code: 'endless-list' });
        expect(cursors).to.deep.equal([undefined, 'a', 'b']);
        expect(count).to.equal(3);
        await client.close();
      }
    });

    it('may be empty 99 times in a row, and not 100 times', async () => {
      const pageAfter = (empty: number) => (_: unknown, asked: number) => ({
        [key]: asked > empty ? [entry] : [],
        ...(asked <= empty && { nextCursor: `${asked}` }),
      });
      const hundred = await connectPaged(pageAfter(100));
      expect(await walked(walk(hundred.client))).to.have.property('error');
      await hundred.client.close();
      const fewer = await connectPaged(pageAfter(99));
      expect(await walked(walk(fewer.client))).to.deep.equal({ count: 100 });
      await fewer.client.close();
    });

    it('count as empty when none of their entries is usable', async () => {
      const { client, cursors } = await connectPaged((_, asked) => ({
        [key]: [null],
        nextCursor: `${asked}`,
      }));
      expect((await walked(walk(client))).error).to.include({ code: 'endless-list' });
      expect(cursors).to.have.length(100);
      await client.close();
    });
  });
}

describe('the pages of a list', () => {
  it('are fetched only when they are asked for', async () => {
    const fetched: unknown[] = [];
    const pages = eachPage(async (cursor): Promise<ListPage> => {
      fetched.push(cursor);
      return { nextCursor: `${fetched.length}` };
    });
    await pages.next();
    await pages.next();
    expect(fetched).to.deep.equal([undefined, '1']);
  });

  it('are 10,000 at most', async () => {
    const pagesOf = (count: number) => {
      let fetched = 0;
      return eachPage(async () => {
        fetched += 1;
        return { tools: [fetched], ...(fetched < count && { nextCursor: `${fetched}` }) };
      });
    };
    expect(await walked(pagesOf(10_000))).to.deep.equal({ count: 10_000 });
    const { count, error } = await walked(pagesOf(Infinity));
    expect(count).to.equal(10_000);
    expect(error).to.be.instanceOf(ClientError).and.include({ code: 'endless-list' });
  });

  it('end with the error of the one that cannot be fetched', async () => {
    const pages = eachPage(() => Promise.reject(new Error('gone')));
    expect(await failureOf(pages.next())).to.include({ message: 'gone' });
  });
});
