import { files, notes, runtimeResources } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { writeDocumentedStore } from '../support/documented-store.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';

interface Example {
  /** Whom it is sent by. */
  client: 'modern' | 'legacy' | 'asking';
  request: { method: string; params?: { [key: string]: unknown } };
  /** The result or, if so named, the error. */
  answer: unknown;
  kind: 'result' | 'error';
}

const ANYTHING = '…';

const ELICITING_META = {
  ...MODERN_META,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** The pairs of fenced blocks of a document: a request, then a response or an error. */
function examplesOf(markdown: string): Example[] {
  const blocks = [
    ...markdown.matchAll(/^```json (legacy |asking )?(request|response|error)\n(.*?)^```$/gms),
  ];
  return blocks.flatMap(([, client = 'modern', kind, json], index) => {
    if (kind !== 'request') return [];
    const [, , answerKind, answer] = blocks[index + 1]!;
    expect(answerKind, `the block after ${json}`).not.to.equal('request');
    return [
      {
        client: client.trim() as Example['client'],
        request: JSON.parse(json!) as Example['request'],
        answer: JSON.parse(answer!) as unknown,
        kind: answerKind === 'error' ? ('error' as const) : ('result' as const),
      },
    ];
  });
}

/** Where a value differs from what is documented, as a path; `undefined` where it does not. */
function difference(actual: unknown, documented: unknown, path = ''): string | undefined {
  if (typeof documented === 'string') return textDifference(actual, documented, path);
  if (Array.isArray(documented)) return listDifference(actual, documented, path);
  if (typeof documented !== 'object' || documented === null) {
    return actual === documented ? undefined : `${path}: ${JSON.stringify(actual)}`;
  }
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return path;
  const known = Object.entries(documented).filter(([key]) => key !== ANYTHING);
  const isWhole = !(ANYTHING in documented);
  const undocumented = Object.keys(actual).find((key) => !(key in documented));
  if (isWhole && undocumented !== undefined) return `${path}/${undocumented} is not documented`;
  return first(known, ([key, value]) =>
    difference((actual as { [key: string]: unknown })[key], value, `${path}/${key}`),
  );
}

function textDifference(actual: unknown, documented: string, path: string): string | undefined {
  if (documented === ANYTHING && actual !== undefined) return undefined;
  const differs = `${path}: ${JSON.stringify(actual)}`;
  if (typeof actual !== 'string') return differs;
  let rest = actual;
  const pieces = documented.split(ANYTHING);
  for (const [index, piece] of pieces.entries()) {
    const at = index === pieces.length - 1 ? rest.lastIndexOf(piece) : rest.indexOf(piece);
    if (at < 0 || (index === 0 && at > 0)) return differs;
    rest = rest.slice(at + piece.length);
  }
  return rest === '' ? undefined : differs;
}

function listDifference(
  actual: unknown,
  documented: readonly unknown[],
  path: string,
): string | undefined {
  if (!Array.isArray(actual)) return path;
  const hasMore = documented.at(-1) === ANYTHING;
  const known = hasMore ? documented.slice(0, -1) : documented;
  if (!hasMore && actual.length !== known.length) return `${path} has ${actual.length} entries`;
  return first([...known.entries()], ([index, value]) =>
    difference(actual[index], value, `${path}/${index}`),
  );
}

function first<Value, Found>(
  values: readonly Value[],
  look: (value: Value) => Found | undefined,
): Found | undefined {
  for (const value of values) {
    const found = look(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function subjectOf({ params = {} }: Example['request']): string {
  return [params['name'], params['uri']].filter((one) => typeof one === 'string').join('');
}

const examples = examplesOf(await (await fetch('/docs/resources.md')).text());

describe('docs/resources.md', () => {
  let linked: LinkedServer;
  let clients: { [client in Example['client']]: RawClient };

  before(async () => {
    const databaseName = freshDatabaseName();
    await writeDocumentedStore(databaseName);
    const providers = [notes(), files(), runtimeResources()];
    linked = await openLinkedServer(databaseName, { providers });
    clients = {
      modern: linked.connectRaw(),
      legacy: linked.connectRaw(),
      asking: linked.connectRaw({ write: 'ask' }),
    };
    await clients.legacy.initialize();
  });

  after(async () => {
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  it('has examples of every tool, prompt and template', async () => {
    const named = (method: string): unknown[] =>
      examples
        .filter(({ request }) => request.method === method)
        .map(({ request }) => request.params?.['name'] ?? request.params?.['uri']);
    const list = async (method: string, key: string): Promise<{ name: string }[]> => {
      const answer = await clients.modern.modern(method);
      return (answer as never as { result: { [key: string]: { name: string }[] } }).result[key]!;
    };
    const toolNames = (await list('tools/list', 'tools')).map(({ name }) => name);
    expect(named('tools/call')).to.include.members(toolNames);
    const promptNames = (await list('prompts/list', 'prompts')).map(({ name }) => name);
    expect(named('prompts/get')).to.include.members(promptNames);
    for (const start of ['note:///0', 'note:///search?', 'file:///photos/d', 'inpage:///']) {
      expect(named('resources/read').some((uri) => (uri as string)?.startsWith(start))).to.equal(
        true,
      );
    }
  });

  for (const [index, { client, request, answer, kind }] of examples.entries()) {
    it(`example ${index + 1}: ${request.method} ${subjectOf(request)}`, async () => {
      const { method, params = {} } = request;
      const sent = client === 'legacy' ? params : { _meta: ELICITING_META, ...params };
      const received = await clients[client].request(method, sent);
      const actual = (received as never as { [kind: string]: unknown })[kind];
      expect(difference(actual, answer), JSON.stringify(received, null, 2)).to.equal(undefined);
    });
  }
});
