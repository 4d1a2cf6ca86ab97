import { expect } from '@esm-bundle/chai';
import {
  encodeCursor,
  joinResources,
  type Resources,
  McpServer,
  resourceTemplate,
  UriTemplate,
  type UriValues,
} from '@inpage-mcp/protocol';
import { failureOf } from '../support/failure.js';
import { randomFrom } from '../support/random.js';
import { leastTime } from '../support/slowness.js';
import { sdkV1, sdkV2, type AnyClient } from './any-client.js';

/** The values of the examples of RFC 6570, section 3.2. */
const VALUES: UriValues = {
  count: ['one', 'two', 'three'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  none: [],
};

/** Of RFC 6570: a template, what it expands to, and whether that matches with the same values. */
const EXAMPLES: [template: string, uri: string, returns?: boolean][] = [
  ['{var}', 'value', true],
  ['{hello}', 'Hello%20World%21', true],
  ['{half}', '50%25', true],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768', true],
  ['{x,hello,y}', '1024,Hello%20World%21,768', true],
  ['?{x,undef}', '?1024'],
  ['{var:3}', 'val'],
  ['{list}', 'red,green,blue'],
  ['{list*}', 'red,green,blue', true],
  ['{none}', ''],
  ['{+var}', 'value', true],
  ['{+hello}', 'Hello%20World!', true],
  ['{+half}', '50%25', true],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex', true],
  ['{+base}index', 'http://example.com/home/index', true],
  ['{+path}/here', '/foo/bar/here', true],
  ['here?ref={+path}', 'here?ref=/foo/bar', true],
  ['{+x,hello,y}', '1024,Hello%20World!,768', true],
  ['{+path:6}/here', '/foo/b/here'],
  ['{#var}', '#value', true],
  ['{#path,x}/here', '#/foo/bar,1024/here', true],
  ['{#list*}', '#red,green,blue', true],
  ['{.who}', '.fred', true],
  ['X{.list*}', 'X.red.green.blue', true],
  ['X{.empty}', 'X.'],
  ['{/who}', '/fred', true],
  ['{/who,dub}', '/fred/me%2Ftoo', true],
  ['{/list*,x}', '/red/green/blue/1024', true],
  ['{/var:1,var}', '/v/value'],
  ['{;who}', ';who=fred', true],
  ['{;x,y,empty}', ';x=1024;y=768;empty', true],
  ['{;list*}', ';list=red;list=green;list=blue', true],
  ['{?who}', '?who=fred', true],
  ['{?x,y,empty}', '?x=1024&y=768&empty=', true],
  ['{?x,y,undef}', '?x=1024&y=768', true],
  ['{?list*}', '?list=red&list=green&list=blue', true],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024', true],
];

describe('a uri template', () => {
  for (const [template, uri, returns] of EXAMPLES) {
    it(`is expanded and matched as in RFC 6570: ${template}`, () => {
      const parsed = new UriTemplate(template);
      expect(parsed.expand(VALUES)).to.equal(uri);
      if (!returns) return;
      const found = parsed.match(uri)!;
      expect(found).not.to.equal(undefined);
      expect(Object.keys(found)).not.to.be.empty;
      for (const [name, value] of Object.entries(found)) expect(value).to.deep.equal(VALUES[name]);
    });
  }

  it('matches a whole uri, and decodes its values', () => {
    const match = (template: string, uri: string) => new UriTemplate(template).match(uri);
    expect(match('note:///{id}', 'note:///a%20b')).to.deep.equal({ id: 'a b' });
    expect(match('note:///{id}', 'note:///\u00e9')).to.deep.equal({ id: '\u00e9' });
    for (const uri of ['note:///', 'note:///a/b', 'note:///a?b', 'xnote:///a', 'note:///%zz', '']) {
      expect(match('note:///{id}', uri), uri).to.equal(undefined);
    }
    expect(match('{a}-{b}', 'x-y-z')).to.deep.equal({ a: 'x', b: 'y-z' });
    expect(match('f:{+path}/{name}', 'f:a/b/c')).to.deep.equal({ path: 'a/b', name: 'c' });
    expect(match('{name}{.ext}', 'xy.json')).to.deep.equal({ name: 'xy', ext: 'json' });
    expect(match('x{.ext}', 'x.tar.gz')).to.deep.equal({ ext: 'tar.gz' });
    expect(match('x{/part}', 'x/a/b')).to.equal(undefined);
    expect(match('{a:2}', '\u{1F600}b')).to.deep.equal({ a: '\u{1F600}b' });
    expect(match('{a:2}', 'abc')).to.equal(undefined);
    expect(match('a{?q}', 'a')).to.deep.equal({});
    expect(match('a{?q}', 'a?other=1')).to.equal(undefined);
    expect(match('{__proto__}', 'x')).to.have.own.property('__proto__', 'x');
  });

  for (const [template, uri, expected] of [
    ['repo:{/owner}{/repo}', 'repo:/a/b', { owner: 'a', repo: 'b' }],
    ['repo:{/owner}{/repo}', 'repo:/a', { owner: 'a' }],
    ['repo:{/owner}{/repo}', 'repo:/a/b/c', undefined],
    ['f:{/dirs*}{/name}', 'f:/a/b/c', { dirs: ['a', 'b'], name: 'c' }],
    ['{/dirs*,name}', '/a/b/c', { dirs: ['a', 'b'], name: 'c' }],
    ['x:{;a}{;b}', 'x:;a=1;b=2', { a: '1', b: '2' }],
    ['x:{;a}{;b}', 'x:;b=2', { b: '2' }],
    ['{?a,b}', '?b=2&a=1', { a: '1', b: '2' }],
    ['{?a,b}', '?a=1&a=2', undefined],
    ['{?a,ab}', '?ab=1', { ab: '1' }],
    ['{?q}{&page}', '?q=1&page=2', { q: '1', page: '2' }],
    ['{+path}{?q}', 'a?b?q=1', { path: 'a?b', q: '1' }],
    ['{+path}{?q}', 'a?b', { path: 'a?b' }],
    ['caf\u00e9/{x}', 'caf%C3%A9/1', { x: '1' }],
    ['caf\u00e9/{x}', 'caf%c3%a9/1', { x: '1' }],
    ['caf\u00e9/{x}', 'caf\u00e9/1', { x: '1' }],
    ['{a}{b}', '%C3%A9x', { a: '\u00e9', b: 'x' }],
    ['{a}{b:2}', 'wxyz', { a: 'wx', b: 'yz' }],
    ['{a}/{a}', 'x/x', { a: 'x' }],
    ['{a}/{a}', 'x/y', undefined],
    ['{a,b}', ',x', { a: '', b: 'x' }],
    ['{a:2}/{a}', 'ab/abcd', { a: 'abcd' }],
    ['{a:2}/{a}', 'ab/zbcd', undefined],
    ['{a:2}/{a}', 'a/a', { a: 'a' }],
    ['{a:2}/{a}', 'a/ab', undefined],
    ['{/a:1,a:2,a}', '/w/wx/wxyz', { a: 'wxyz' }],
    ['{a}{?a:1}', '\u{1F600}b?a=\u{1F600}', { a: '\u{1F600}b' }],
  ] as const)
    it(`reads ${uri} by ${template}`, () => {
      expect(new UriTemplate(template).match(uri)).to.deep.equal(expected);
    });

  it('reads what it has written, whatever it is', () => {
    const random = randomFrom(6570);
    const pick = <Value>(from: readonly Value[]): Value => from[random(from.length)]!;
    const value = (): string =>
      Array.from({ length: 1 + random(3) }, () => pick([...'ab1\u00e9=/?&; \u{1F600}'])).join('');
    let known = 0;
    for (let round = 0; round < 1_000; round += 1) {
      const values: { [name: string]: string | string[] } = {};
      const parts = Array.from({ length: 1 + random(4) }, (_, part) => {
        const operator = pick(['', '+', '#', '.', '/', ';', '?', '&']);
        const names = Array.from({ length: 1 + random(2) }, (__, key) => {
          const name = `v${part}${key}`;
          const isList = random(4) === 0;
          // An expression that has to be there is not read where a value is missing.
          if (random(4) > 0 || operator === '' || operator === '+')
            values[name] = isList ? Array.from({ length: 1 + random(3) }, value) : value();
          return isList ? `${name}*` : name;
        });
        return `${pick(['', 'x', '/', '-\u00e9'])}{${operator}${names.join()}}`;
      });
      const template = new UriTemplate(parts.join(''));
      const uri = template.expand(values);
      const found = template.match(uri);
      expect(found, `${parts.join('')} of ${uri}`).not.to.equal(undefined);
      // One expression may encode what another one had not to.
      const [again, before] = [template.expand(found!), uri].map((one) =>
        one.replaceAll(/%(?:26|2C|2F|3B|3D|3F)/g, decodeURIComponent),
      );
      expect(again, parts.join('')).to.equal(before);
      if (JSON.stringify(found) === JSON.stringify(values)) known += 1;
    }
    // In the others, another reading is as right.
    expect(known).to.be.above(500);
  });

  for (const name of ['spec-examples-by-section', 'extended-tests', 'negative-tests'])
    it(`is what the official tests say (${name})`, async () => {
      const answer = await fetch(`/test/fixtures/uritemplate-test/${name}.json`);
      const suite = (await answer.json()) as {
        [title: string]: { variables: { [name: string]: unknown }; testcases: [string, unknown][] };
      };
      let count = 0;
      for (const { variables, testcases } of Object.values(suite)) {
        const isObject = (value: unknown): boolean =>
          typeof value === 'object' && value !== null && !Array.isArray(value);
        const values = Object.fromEntries(
          Object.entries(variables)
            .filter(([, value]) => value !== null)
            .map(([key, value]) => [key, Array.isArray(value) ? value.map(String) : String(value)]),
        );
        for (const [template, expected] of testcases) {
          // Values are texts and lists.
          const named = template.match(/[\w%]+/g) ?? [];
          if (named.some((key) => isObject(variables[key]))) continue;
          count += 1;
          const expand = (): string => new UriTemplate(template).expand(values);
          if (expected === false) expect(expand, template).to.throw(TypeError);
          else expect([expected].flat(), template).to.include(expand());
        }
      }
      expect(count).to.be.above(20);
    });

  it('writes numbers, and refuses what is no text', () => {
    const template = new UriTemplate('a:{x}{?y}');
    const expand = (values: object): string => template.expand(values as never);
    expect(expand({ x: 5, y: false })).to.equal('a:5?y=false');
    expect(expand({ x: null, y: undefined })).to.equal('a:');
    expect(expand({ x: [5, 'a', true] })).to.equal('a:5,a,true');
    for (const wrong of [{}, [{}], () => 'a', 5n, Symbol('a')])
      expect(() => expand({ x: wrong })).to.throw(TypeError, 'x is no value');
  });

  it('encodes letters that are ASCII in another case only', () => {
    const uri = new UriTemplate('{+a}').expand({ a: '\u017F/\u212A%C5%bf' });
    expect(uri).to.equal('%C5%BF/%E2%84%AA%C5%bf');
  });

  it('is refused where it is not one of RFC 6570', () => {
    for (const template of [
      '{',
      '}',
      'a{b',
      '{}',
      '{a b}',
      '{a:0}',
      '{a:12345}',
      '{!a}',
      '{a,}',
      '{id',
      '{x..y}',
      '{%2x}',
    ]) {
      expect(() => new UriTemplate(template), template).to.throw(TypeError);
    }
  });

  it('is matched in a short time, whatever the uri is', async () => {
    const template = new UriTemplate(`${'{a}-'.repeat(20).replaceAll('a', 'v')}{+b}x{c}!`);
    const least = await leastTime(200, () => {
      expect(template.match('-a'.repeat(5_000))).to.equal(undefined);
    });
    expect(least).to.be.below(200);
  });
});

describe('resources of templates', () => {
  const CLIENTS: [name: string, connect: (port: MessagePort) => Promise<AnyClient>][] = [
    ['v2', (port) => sdkV2(port, 'auto')],
    ['v1', (port) => sdkV1(port)],
  ];
  const texts = new Map([
    ['a', 'Text of a.'],
    ['b/c', 'Text of b/c.'],
  ]);
  const notes = resourceTemplate('note:///{id}', {
    name: 'note',
    mimeType: 'text/plain',
    list: (uriOf) => [...texts.keys()].map((id) => ({ uri: uriOf({ id }), name: id })),
    read: ({ id }, uri) => [{ uri, text: texts.get(id) ?? 'none' }],
    complete: { id: (typed) => [...texts.keys()].filter((id) => id.startsWith(typed)) },
  });
  const days = resourceTemplate('day:{year}/{month}{?zone}', {
    name: 'day',
    read: ({ year, month, zone = 'UTC' }, uri) => [{ uri, text: `${year} ${month} ${zone}` }],
  });

  it('complete only their own template', async () => {
    const call = {} as never;
    const query = { argument: 'id', value: 'b', chosen: {} };
    const uriTemplate = 'note:///{id}';
    expect(await notes.complete!({ ...query, uriTemplate }, call)).to.include({ total: 1 });
    const other = notes.complete!({ ...query, uriTemplate: 'other:///{id}' }, call);
    expect(await failureOf(Promise.resolve(other))).to.include({ code: -32602 });
  });

  for (const [name, connect] of CLIENTS) {
    it(`are listed, completed and read by the official client ${name}`, async () => {
      const { port1, port2 } = new MessageChannel();
      const resources = joinResources(notes, days);
      new McpServer({ name: 'templates', version: '1' }, { resources }).serve(port2);
      const client = await connect(port1);
      const templates = (await client.listTemplates()).map(({ uriTemplate }) => uriTemplate);
      expect(templates).to.deep.equal(['note:///{id}', 'day:{year}/{month}{?zone}']);
      const uris = (await client.listResources()).map(({ uri }) => uri);
      expect(uris).to.deep.equal(['note:///a', 'note:///b%2Fc']);
      const ref = { type: 'ref/resource', uri: 'note:///{id}' };
      expect((await client.complete(ref, 'id', 'b')).values).to.deep.equal(['b/c']);
      const day = { type: 'ref/resource', uri: 'day:{year}/{month}{?zone}' };
      expect((await client.complete(day, 'year', '2')).values).to.deep.equal([]);
      expect((await client.read('note:///b%2Fc'))[0]!.text).to.equal('Text of b/c.');
      expect((await client.read('day:2026/11?zone=JST'))[0]!.text).to.equal('2026 11 JST');
      expect((await client.read('day:2026/11'))[0]!.text).to.equal('2026 11 UTC');
      const code = name === 'v1' ? -32002 : -32602;
      expect(await failureOf(client.read('week:1'))).to.include({ code });
      await client.close();
    });
  }

  it('share a page as long as they are small', async () => {
    const ofSize = (name: string, size: number): Resources =>
      resourceTemplate(`${name}:{id}`, {
        name,
        list: (uriOf) =>
          Array.from({ length: size }, (_, id) => ({ uri: uriOf({ id: `${id}` }), name })),
        read: () => [],
      });
    const pagesOf = async (...sizes: number[]): Promise<number[]> => {
      const all = joinResources(...sizes.map((size, n) => ofSize(`part${n}`, size)));
      const pages: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await all.list(cursor, {} as never);
        pages.push(page.resources.length);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return pages;
    };
    expect(await pagesOf(1, 2, 0, 3, 0, 4)).to.deep.equal([10]);
    expect(await pagesOf(99, 1, 5)).to.deep.equal([100, 5]);
    expect(await pagesOf(98, 1, 500, 1)).to.deep.equal([599, 1]);
    expect(await pagesOf()).to.deep.equal([0]);
  });

  it('have no page after one whose cursor is none', async () => {
    const odd = { ...days, list: () => ({ resources: [], nextCursor: null as never }) };
    const { resources, nextCursor } = await joinResources(odd, notes).list(undefined, {} as never);
    expect(resources.map(({ name }) => name)).to.deep.equal(['a', 'b/c']);
    expect(nextCursor).to.equal(undefined);
  });

  it('have no page at a cursor that was made up', async () => {
    const list = async (cursor: string): Promise<unknown> =>
      await joinResources(notes, days).list(cursor, {} as never);
    // One of a list of more parts: [7]; a part that has no number; a place in a part without pages.
    const made = [[7], [2], [0], ['length'], [0, 5], [0, 'a'], [1, 'a', 'b'], [-1, 'a']].map(
      (position) => encodeCursor(position),
    );
    for (const cursor of ['nonsense', ...made])
      expect(await failureOf(list(cursor)), cursor).to.include({ code: -32602 });
  });
});
