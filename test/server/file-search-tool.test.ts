import { expect } from '@esm-bundle/chai';
import { MAX_MATCHES, MAX_QUERY_LENGTH } from '@inpage-mcp/store';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, useLinkedServer } from '../support/linked-server.js';
import { toolsOf, type ToolCaller } from '../support/tool-caller.js';

const PATHS = ['trips/Lisbon 2024/tram 28.jpg', 'trips/Porto/tram.jpg', 'letters/to Lisbon.txt'];

interface Found {
  matches: { path: string; uri: string; mediaType: string; size: number; revision: number }[];
  total: number;
}

describe('search_files', () => {
  const linked = useLinkedServer();
  let tools: ToolCaller;

  beforeEach(async () => {
    tools = toolsOf(linked);
    for (const path of PATHS) await linked.server.store.files.write(path, new Blob(['abc']));
  });

  const found = async (query: string, options: object = {}): Promise<string[]> => {
    const { matches } = await tools.data<Found>('search_files', { query, ...options });
    return matches.map(({ path }) => path);
  };

  it('finds files by the beginnings of words of their paths', async () => {
    expect(await found('lisb')).to.have.members([PATHS[0], PATHS[2]]);
    expect(await found('TRAM lisbon')).to.deep.equal([PATHS[0]]);
    expect(await found('isbon')).to.deep.equal([]);
    expect(await found(' ')).to.deep.equal([]);
  });

  it('says what each is, and where', async () => {
    const { content, structuredContent } = await tools.call('search_files', { query: 'porto' });
    const { matches, total } = structuredContent as unknown as Found;
    expect(total).to.equal(1);
    expect(matches[0]).to.include({
      path: PATHS[1],
      uri: 'file:///trips/Porto/tram.jpg',
      mediaType: 'image/jpeg',
      size: 3,
      revision: 1,
    });
    expect(content).to.deep.equal([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('gives as many as asked for, and counts all', async () => {
    const { matches, total } = await tools.data<Found>('search_files', {
      query: 'tram',
      limit: 1,
    });
    expect(matches).to.have.length(1);
    expect(total).to.equal(2);
  });

  it('knows its limits', async () => {
    await tools.call('search_files', { query: 'a'.repeat(MAX_QUERY_LENGTH), limit: MAX_MATCHES });
    for (const args of [
      { query: 'a'.repeat(MAX_QUERY_LENGTH + 1) },
      { query: '' },
      { query: 'a', limit: 0 },
      { query: 'a', limit: MAX_MATCHES + 1 },
      {},
    ]) {
      expect(await tools.failure('search_files', args)).to.match(/query|limit/);
    }
  });
});

describe('search_files of a connection that may not see all', () => {
  it('finds, and counts, only what it may see', async () => {
    const linked = await openLinkedServer();
    for (const path of PATHS) await linked.server.store.files.write(path, new Blob(['abc']));
    const client = linked.connectRaw({ read: ['file:///trips/'] });
    const answer = await client.modern('tools/call', {
      name: 'search_files',
      arguments: { query: 'lisbon' },
    });
    expect(answer).to.have.nested.property('result.structuredContent.total', 1);
    expect(JSON.stringify(answer)).not.to.include('letters');
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });
});
