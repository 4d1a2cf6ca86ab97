import { PAGE_LIMITS } from '@inpage-mcp/protocol';
import { expect } from '@esm-bundle/chai';
// Internal to the package: over a port, what is refused is gone, and so is what it cost.
import { checkBudget, measure } from '../../packages/protocol/src/fairness/message-budget.js';
import { leastTime } from '../support/slowness.js';

const { messageDepth, messageNodes, messageBytes } = PAGE_LIMITS;
const small = { messageDepth: 10, messageNodes: 10, messageBytes: 1_000 };

const limitOf = (value: unknown, budget: Parameters<typeof checkBudget>[1] = PAGE_LIMITS) => {
  const finding = checkBudget(value, budget);
  if (finding && !finding.data) throw new Error(finding.message);
  return finding?.data?.limit;
};

/** Objects in each other, the outermost included. */
const nested = (depth: number, innermost: unknown = 1): unknown =>
  Array.from({ length: depth }).reduce((inner) => ({ a: inner }), innermost);

/** Of a page's own class: a plain object, once it was cloned. */
class Point {
  width = 1;
}

describe('the budget of a message', () => {
  it('measures a message, also without a limit', () => {
    const none = { messageDepth: 10, messageNodes: Infinity, messageBytes: Infinity };
    // The object, its key, and four bytes of text.
    expect(measure({ a: 'ab\u00e9' }, none)).to.deep.equal({
      violation: undefined,
      bytes: 8 + 1 + 4,
    });
  });

  it('allows as much depth as there may be, and no more', () => {
    expect(limitOf(nested(messageDepth))).to.equal(undefined);
    expect(limitOf(nested(messageDepth + 1))).to.equal('messageDepth');
    expect(limitOf(nested(messageDepth - 1, []))).to.equal(undefined);
    expect(limitOf(nested(messageDepth, []))).to.equal('messageDepth');
  });

  it('allows as many values as there may be, and no more', () => {
    // The message is one, and so is the array.
    const many = (count: number) => ({ a: Array.from({ length: count - 2 }, () => 1) });
    expect(limitOf(many(messageNodes))).to.equal(undefined);
    expect(limitOf(many(messageNodes + 1))).to.equal('messageNodes');
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`${index}`, null]));
    expect(limitOf(keys(messageNodes))).to.equal(undefined);
    expect(limitOf(keys(messageNodes + 1))).to.equal('messageNodes');
  });

  it('counts bytes as UTF-8 has them, and 8 for any other value', () => {
    const room = messageBytes - 8 - 1;
    for (const [unit, bytes] of [
      ['a', 1],
      ['\u0000', 1],
      ['\u007f', 1],
      ['\u0080', 2],
      ['ä', 2],
      ['\u07ff', 2],
      ['\u0800', 3],
      ['€', 3],
      ['\uffff', 3],
      ['😀', 4],
      ['\ud800', 3],
      ['\udc00', 3],
    ] as const) {
      const encoded = new TextEncoder().encode(unit).length;
      expect(encoded).to.equal(bytes);
      const count = Math.floor(room / bytes);
      const filled = unit.repeat(count) + 'a'.repeat(room - count * bytes);
      expect(limitOf({ a: filled }), unit).to.equal(undefined);
      expect(limitOf({ a: `a${filled}` }), unit).to.equal('messageBytes');
      expect(limitOf({ a: '', [filled]: '' }), unit).to.equal(undefined);
      expect(limitOf({ a: '', [`a${filled}`]: '' }), unit).to.equal('messageBytes');
    }
    for (const value of [1, -0, 1.5, true, false, null, undefined, {}, []]) {
      const budget = { ...small, messageBytes: 17 };
      const label = JSON.stringify(value);
      expect(limitOf({ a: value }, budget), label).to.equal(undefined);
      expect(limitOf({ aa: value }, budget), label).to.equal('messageBytes');
    }
  });

  it('counts what stands in several places at each, so that a cycle is past it', () => {
    const shared = [1, 2];
    expect(limitOf({ a: shared, b: shared, c: shared }, small)).to.equal(undefined);
    expect(limitOf({ a: shared, b: shared, c: [1, 2, 3] }, small)).to.equal('messageNodes');
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(limitOf(cycle)).to.equal('messageDepth');
    const ring: unknown[] = [];
    ring.push(ring);
    expect(limitOf(ring)).to.equal('messageDepth');
    // Doubled so often, it would be more than there are atoms.
    const doubled = Array.from({ length: 60 }).reduce((inner) => [inner, inner], [1]);
    expect(limitOf(doubled)).to.equal('messageNodes');
  });

  it('costs nothing for what is far past it', async () => {
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    const long = 'x'.repeat(2 ** 26);
    const values = [sparse, { a: sparse }, long, { a: long }, { [long]: 1 }];
    let limits: unknown[] = [];
    const least = await leastTime(20, () => {
      limits = values.map((value) => limitOf(value));
    });
    expect(least).to.be.below(20);
    expect(limits).to.deep.equal([
      'messageNodes',
      'messageNodes',
      'messageBytes',
      'messageBytes',
      'messageBytes',
    ]);
  });

  it('allows what JSON has, and members that are undefined', () => {
    const polluting: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"a":1}}');
    for (const value of [
      polluting,
      { a: undefined },
      { a: [0, -1.5, Number.MAX_VALUE, true, null, '', {}, []] },
      structuredClone(new Point()),
    ]) {
      expect(checkBudget(value, PAGE_LIMITS)).to.equal(undefined);
    }
    expect({}).not.to.have.property('polluted');
    expect(limitOf(JSON.parse('{"__proto__":[1,2,3,4,5,6,7,8]}'), small)).to.equal(undefined);
    expect(limitOf(JSON.parse('{"__proto__":[1,2,3,4,5,6,7,8,9]}'), small)).to.equal(
      'messageNodes',
    );
  });

  it('rejects what JSON does not have', () => {
    const { port1 } = new MessageChannel();
    const sparse = [1];
    sparse[2] = 3;
    const values = {
      bigint: 1n,
      nan: NaN,
      infinity: Infinity,
      symbol: Symbol('a'),
      function: () => 1,
      map: new Map(),
      set: new Set(),
      date: new Date(),
      regexp: /a/,
      error: new Error('a'),
      blob: new Blob([]),
      file: new File([], 'a'),
      buffer: new ArrayBuffer(1),
      bytes: new Uint8Array(1),
      view: new DataView(new ArrayBuffer(1)),
      string: Object('a'),
      number: Object(1),
      bare: Object.create(null),
      port: port1,
      hole: sparse,
      undefined: [undefined],
      extra: Object.assign([1], { more: 1 }),
    };
    for (const [name, value] of Object.entries(values)) {
      const finding = checkBudget({ a: [{ b: value }] }, PAGE_LIMITS);
      expect(finding, name).to.deep.equal({
        message: 'The message has a value that is not JSON.',
      });
      if (typeof value === 'object' && name !== 'extra') {
        expect(checkBudget(value, PAGE_LIMITS), name).to.deep.equal(finding);
      }
    }
  });

  it('knows plain objects of another realm, in which messages of Jest are made', () => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const other = frame.contentWindow as Window & typeof globalThis;
    expect(checkBudget(other.JSON.parse('{"a":[{"b":1}]}'), PAGE_LIMITS)).to.equal(undefined);
    for (const value of [
      new other.Map(),
      new other.Date(),
      new other.Error('a'),
      new other.Blob([]),
    ])
      expect(checkBudget({ a: value }, PAGE_LIMITS)).not.to.equal(undefined);
    frame.remove();
  });

  it('names the limit that a message is past, and its number', () => {
    const { message, data } = checkBudget(nested(11), { ...small, messageNodes: 20 })!;
    expect(message).to.contain('messageDepth').and.to.contain('10');
    expect(data).to.deep.equal({ limit: 'messageDepth', maximum: 10 });
  });

  it('costs a small request a few microseconds', async () => {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: {
        uri: 'note:///01ARZ3NDEKTSV4RRFFQ69G5FAV',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const COUNT = 2_000;
    const least = await leastTime(0.02 * COUNT, () => {
      for (let count = 0; count < COUNT; count += 1) checkBudget(request, PAGE_LIMITS);
    });
    expect(least / COUNT).to.be.below(0.02);
  });
});
