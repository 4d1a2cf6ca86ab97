// Every element, with a client whose answers are wrong in every field, and whose contents call out.
import '@inpage-mcp/elements/all';
import type { McpClient } from '@inpage-mcp/client';
import { expect } from '@open-wc/testing';
import { Canary } from '../support/canary.js';
import { eventually, frames } from '../support/elements.js';
import { manyHoles } from '../support/holes.js';
import { leastBlocking } from '../support/slowness.js';
import { casesOf, isQuick } from '../support/test-size.js';

/** What Lit takes for a template, if it may come as a text; structured clone keeps every part. */
const TEMPLATE = {
  _$litType$: 1,
  strings: Object.assign(['<img src="x" onerror="globalThis.broken = true">'], { raw: [] }),
  values: [],
};

/** Texts and other values that a hostile server puts into any field; `CANARY` is an address. */
const valuesFor = (canary: string): unknown[] => [
  null,
  -1,
  NaN,
  2n ** 70n,
  '',
  '\u0000\uD800',
  `<img src="${canary}/img" onerror="globalThis.broken = true">`,
  `![a](${canary}/md.png) [b](javascript:globalThis.broken=true)`,
  `${canary}/address`,
  'javascript:globalThis.broken=true',
  '\u202Etxt.exe\u2066'.repeat(50),
  [],
  [null, [['x']]],
  manyHoles(),
  {},
  { toString: null, valueOf: 7 },
  { __proto__: null, constructor: 1 },
  TEMPLATE,
  [TEMPLATE],
  new Map([[1, 2]]),
  new Date(NaN),
  new Error('broken'),
];

/** Valid answers, with a value in every field that an element looks at. */
const ANSWERS = {
  listResources: {
    resources: [
      {
        uri: 'note:///a',
        name: 'a',
        title: 'A',
        description: 'First',
        mimeType: 'text/markdown',
        size: 10,
        annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
        _meta: { tags: ['x'] },
      },
      { uri: 'file:///f/b.json', name: 'b.json', mimeType: 'application/json' },
    ],
    nextCursor: undefined,
    unusable: 0,
  },
  listResourceTemplates: {
    resourceTemplates: [
      { uriTemplate: 'note:///{id}', name: 'note', title: 'Note', description: 'A note' },
    ],
  },
  listTools: {
    tools: [
      {
        name: 'change',
        title: 'Change',
        description: 'Changes',
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'string', title: 'Id', description: 'An id', default: 'a', maxLength: 5 },
            kind: { type: 'string', enum: ['a', 'b'] },
            list: {
              type: 'array',
              items: { type: 'object', properties: { n: { type: 'number' } } },
            },
          },
          required: ['id'],
        },
        annotations: { title: 'Change', readOnlyHint: false, destructiveHint: true },
      },
    ],
  },
  listPrompts: {
    prompts: [
      {
        name: 'ask',
        title: 'Ask',
        description: 'Asks',
        arguments: [{ name: 'what', title: 'What', description: 'Of what', required: true }],
      },
    ],
  },
  readResource: {
    contents: [
      {
        uri: 'note:///a',
        mimeType: 'text/markdown',
        text: '# A',
        _meta: { 'io.github.inpage-mcp/resource': { title: 'A', revision: 1 } },
      },
    ],
    unusable: 0,
  },
  getPrompt: {
    description: 'A prompt',
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  },
  complete: { values: ['a', 'b'], total: 2, hasMore: false },
} as const;

type Method = keyof typeof ANSWERS;

/** What each element needs to show something. */
const ELEMENTS: { [tag: string]: (element: HTMLElement) => unknown } = {
  'mcp-resource-list': (element) => Object.assign(element, { searchable: true, sortable: true }),
  'mcp-resource-view': (element) => Object.assign(element, { uri: 'note:///a', header: true }),
  'mcp-resource-picker': (element) => Object.assign(element, { budget: 100 }),
  'mcp-template-form': () => undefined,
  'mcp-prompt-menu': () => undefined,
  'mcp-tool-form': (element) => Object.assign(element, { tool: 'change' }),
  'mcp-activity': () => undefined,
  'mcp-connection': (element) => Object.assign(element, { detailed: true }),
  'mcp-note-editor': (element) => Object.assign(element, { noteId: 'a' }),
  'mcp-file-drop': () => undefined,
};

interface Hostile {
  client: McpClient;
  calls: number;
  calledMethods: Set<string>;
}

/** A client that checks nothing. */
function hostileClient(answers: { [method: string]: unknown }, about: object = {}): Hostile {
  const hostile: Hostile = {
    client: undefined as never,
    calls: 0,
    calledMethods: new Set(),
  };
  const watch = (): unknown => ({ ready: Promise.resolve(), stop: () => undefined });
  const methods = Object.keys(ANSWERS).map((method) => [
    method,
    () => {
      hostile.calls += 1;
      hostile.calledMethods.add(method);
      return Promise.resolve(answers[method]);
    },
  ]);
  hostile.client = {
    protocolVersion: '2026-07-28',
    serverInfo: { name: 'hostile', version: '1' },
    serverCapabilities: { resources: {}, tools: {}, prompts: {}, completions: {} },
    state: 'open',
    closed: new Promise(() => undefined),
    watch,
    watchList: watch,
    watchTools: watch,
    watchPrompts: watch,
    watchState: () => undefined,
    ...Object.fromEntries(methods),
    ...about,
  } as never;
  return hostile;
}

/** The paths to all values of an answer, such as `['resources', '0', 'uri']`. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    pathsIn(one).map((path) => [key, ...path]),
  );
  return [[], ...inner];
}

/** A copy with another value at a path. */
function withValue(value: unknown, [key, ...rest]: string[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy: { [name: string]: unknown } = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[key] = withValue(copy[key], rest, other);
  return copy;
}

/** A copy with another value in the place of every string. */
function withTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, text)]));
}

/** What fills every text, and takes long to lay out, or to look at. */
const COSTLY: { [name: string]: string } = {
  'a megabyte without a space': 'x'.repeat(1_000_000),
  'changes of script': 'aא'.repeat(100_000),
  lines: 'a\n'.repeat(200_000),
  directions: '\u202E\u2066'.repeat(100_000),
};

describe('every element, with hostile answers,', () => {
  let canary: Canary;

  before(async () => {
    canary = await Canary.open();
    // What reads a resource is loaded with the first one.
    const { client, calledMethods } = hostileClient(ANSWERS);
    const view = Object.assign(document.createElement('mcp-resource-view'), { client, uri: 'a:b' });
    document.body.append(view);
    await eventually(() => calledMethods.has('readResource'));
    view.remove();
  });

  afterEach(async () => {
    expect(globalThis).not.to.have.property('broken');
    expect((await canary.reached()).requests).to.deep.equal([]);
  });

  /** Shows elements with these clients at once, until each has asked and rendered. */
  const showAll = async (tag: string, clients: readonly Hostile[]): Promise<void> => {
    const place = document.createElement('div');
    for (const { client } of clients) {
      const element = Object.assign(document.createElement(tag), { client });
      ELEMENTS[tag]!(element);
      place.append(element);
    }
    document.body.append(place);
    await frames(2);
    place.remove();
  };

  /** In `npm test` a third of the values for each field, and another third for the next one. */
  const valuesAt = (index: number): unknown[] =>
    valuesFor(canary.origin).filter((_, at) => !isQuick || at % 3 === index % 3);

  for (const tag of Object.keys(ELEMENTS)) {
    it(`<${tag}> survives every value in every field`, async () => {
      const probe = hostileClient(ANSWERS);
      await showAll(tag, [probe]);
      for (const method of probe.calledMethods as Set<Method>) {
        const clients = pathsIn(ANSWERS[method]).flatMap((path, index) =>
          valuesAt(index).map((value) =>
            hostileClient({ ...ANSWERS, [method]: withValue(ANSWERS[method], path, value) }),
          ),
        );
        // Many at once: a frame for each path would take a minute.
        for (let at = 0; at < clients.length; at += 100)
          await showAll(tag, clients.slice(at, at + 100));
        // No storm of requests.
        for (const { calls } of clients) expect(calls).to.be.below(40);
      }
    });

    it(`<${tag}> survives a hostile description of the server`, async () => {
      const abouts = valuesFor(canary.origin).flatMap((value) => [
        { serverInfo: { name: value, version: value, title: value } },
        { serverInfo: value },
        { serverCapabilities: { resources: value, tools: value } },
        { protocolVersion: value },
      ]);
      await showAll(
        tag,
        abouts.map((about) => hostileClient(ANSWERS, about)),
      );
    });

    for (const [name, text] of casesOf(Object.entries(COSTLY), 2)) {
      it(`<${tag}> blocks nothing for long with ${name} in every text`, async () => {
        const answers = Object.fromEntries(
          Object.entries(ANSWERS).map(([method, answer]) => [method, withTexts(answer, text)]),
        );
        const about = { serverInfo: { name: text, version: text } };
        const show = (): Promise<void> => showAll(tag, [hostileClient(answers, about)]);
        expect(await leastBlocking(100, show)).to.be.below(100);
      });
    }
  }
});
