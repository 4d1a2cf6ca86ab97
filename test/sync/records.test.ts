import { expect } from '@open-wc/testing';
import {
  MAX_FILE_BYTES,
  MAX_MEDIA_TYPE_LENGTH,
  MAX_PATH_BYTES,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
} from '@inpage-mcp/store';
import {
  checkPayload,
  MAX_DEVICE_NAME_LENGTH,
  MAX_PACKED_PIECES,
  MAX_UNKNOWN_LENGTH,
} from '../../packages/sync/src/keys/payload.js';
import { RecordError, type RecordErrorCode } from '../../packages/sync/src/keys/record-error.js';
import {
  MAX_CONTENT_BYTES,
  MAX_PAYLOAD_BYTES,
  MAX_PIECE_BYTES,
  openPiece,
  openRecord,
  packPayload,
  sealPiece,
  sealRecord,
  unpackPayload,
} from '../../packages/sync/src/keys/records.js';
import { seal } from '../../packages/sync/src/keys/sealing.js';
import { deriveKeys, nameOf, type VaultKeys } from '../../packages/sync/src/keys/vault-keys.js';
import { MAX_RECORD_BYTES } from '../../packages/sync/src/remotes/remote.js';
import { bytesOfHex, fileOf, noteOf } from './sync-under-test.js';
import { itInAll } from '../support/it-in-all.js';

/** Written by format 1 with the key 00 01 02 … 1f. They must open for good. */
const RECORD = bytesOfHex(
  '01013993dc67e95f787cd37a34167a4bb01ee1f049c6beb803cd46c2891c07bb5842995a83673b3d244b397c' +
    '962b7559c318562508e6285d77072ba4eb5f084835833994869d0a469a84dd17e1a9b15cf357524647e1745a' +
    'af9042825c21e2f20c82aa60a352acd90dbd79971640d1f22d68cb5a86864a473b67c0bdb4a2d6a1326e1665' +
    '23df4600f16fb44584befecb88d042910d9ebbfe36c91ddef99ff09526742e03af6bb42ead7cd8c86aba38bb' +
    'cf6e31b8f8a9b649107cf6b4119756ec847ed064d05cab0c1948f23aacde387ff270fd0435429ca63c3cb887' +
    '0007bc5d2c37f4bc2db63274ebbfb0317852661694bc33abdecfe0964f3ebd4522fbb3573a1b725ce6e21936' +
    '546459804e0974eb238d3b9840ed722415cd4e374547',
);
const PIECE = bytesOfHex(
  '0101d35ed449b35f672be3a75ea1aad97e7916c850fad403f1e057357be41a9a44ba7d54b5c01e221dd70a57' +
    'efaf9ce0af459198ca87eb19520ca9df2dd981a84241d3010ee7dc8fd4799f993a5161f9d811491d44ea8ce6' +
    'f5206b5c6a33145bf823fb6183169f5d97ffa7e7ec041c7e2de9f1751e39d6353bf9a71d38860cb4667cb0c5' +
    '2e1a657e5abe95068bbeae8a7d18550c99b94a3557049bc0a61bd0d65c1b37c67407124707e2625d37f6d284' +
    '7d85541d13bdbedab8225dcba8aeea4bd5f507606c467b919bf44c96622ed4831647145acbcc462fe7290e03' +
    '3fa42914a48205794435d94cd29c4056b62b984d03318ca89dcaa6dd2538ff06ab2b266f86e0868bba67272d' +
    'aef602f32be29a16a89ec2afcf80127f4943e90e6232',
);
const PIECE_NAME = 'r9WyDNv62fPhLqbV2Zm7Gw';

const firstKey = Uint8Array.from({ length: 32 }, (_, index) => index);
const note = noteOf({ counter: 3, title: 'Tea', text: 'Boil water.\nWait.', tags: ['home'] });

async function codeOf(
  act: Promise<unknown> | (() => unknown),
): Promise<RecordErrorCode | undefined> {
  try {
    await (typeof act === 'function' ? act() : act);
  } catch (error) {
    if (error instanceof RecordError) return error.code;
    throw error;
  }
  return undefined;
}

/** A record with any content, as a hostile device with the keys can make it. */
async function forge(keys: VaultKeys, name: string, packed: Uint8Array, size = packed.length) {
  const padded = new Uint8Array(4 + packed.length);
  new DataView(padded.buffer).setUint32(0, size);
  padded.set(packed, 4);
  const sealed = await seal(keys.records[0]!, padded, `1 1 record ${name}`);
  return Uint8Array.from([1, 1, ...sealed]);
}

async function deflate(...parts: BlobPart[]): Promise<Uint8Array> {
  const stream = new Blob(parts).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Text that hardly gets smaller. */
function noise(length: number): string {
  const bytes = new Uint8Array(length);
  // No more at once.
  for (let at = 0; at < length; at += 65_536)
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return new TextDecoder().decode(bytes.map((byte) => 32 + (byte & 63)));
}

describe('a sealed record', () => {
  let keys: VaultKeys;
  let name: string;
  before(async () => {
    keys = await deriveKeys([firstKey]);
    name = await nameOf(keys, 'note', note.key);
  });

  it('opens with what was sealed, unknown fields included, and shows only blocks', async () => {
    const payload = { ...note, colour: 'green', nested: { list: [1, null] } };
    const record = await sealRecord(keys, name, payload);
    if (record === 'too-large') throw new Error('It is not.');
    expect(await openRecord(keys, name, record)).to.deep.equal(payload);
    expect((record.length - 30) % 256).to.equal(0);
    const other = await sealRecord(keys, name, payload);
    expect(other).not.to.deep.equal(record);
    expect(other).to.have.length(record.length);
  });

  it('of format 1 opens for good', async () => {
    const payload = await openRecord(keys, name, RECORD);
    const times = { createdAt: 1_700_000_000_000, updatedAt: 1_700_000_001_000 };
    expect(payload).to.deep.equal({ ...note, ...times, priority: 0.5, colour: 'green' });
    expect(await openPiece(keys, PIECE_NAME, PIECE)).to.deep.equal(Uint8Array.of(1, 2, 3));
  });

  it('does not open under another name, with a changed byte, or cut short', async () => {
    const other = await nameOf(keys, 'note', '01ARZ3NDEKTSV4RRFFQ69G5FAW');
    expect(await codeOf(openRecord(keys, other, RECORD))).to.equal('damaged');
    for (const at of RECORD.keys()) {
      if (at < 2) continue;
      const changed = RECORD.slice();
      changed[at]! ^= 1;
      expect(await codeOf(openRecord(keys, name, changed)), `byte ${at}`).to.equal('damaged');
    }
    for (let size = 0; size < RECORD.length; size += 13) {
      const part = RECORD.slice(0, size);
      expect(await codeOf(openRecord(keys, name, part)), `${size} bytes`).to.equal('damaged');
    }
    expect(await codeOf(openRecord(keys, PIECE_NAME, PIECE)), 'a piece').to.equal('damaged');
    expect(await codeOf(openPiece(keys, name, RECORD)), 'as a piece').to.equal('damaged');
    expect(await codeOf(openPiece(keys, name, PIECE)), 'of another name').to.equal('damaged');
    const long = new Uint8Array(MAX_RECORD_BYTES + 1).fill(1);
    expect(await codeOf(openRecord(keys, name, long))).to.equal('damaged');
  });

  it('says when a later version or a newer key has sealed it', async () => {
    expect(await codeOf(openRecord(keys, name, RECORD.with(0, 2)))).to.equal('newer');
    expect(await codeOf(openRecord(keys, name, RECORD.with(0, 0)))).to.equal('damaged');
    expect(await codeOf(openRecord(keys, name, RECORD.with(1, 2)))).to.equal('unknown-key');
    expect(await codeOf(openRecord(keys, name, RECORD.with(1, 0)))).to.equal('damaged');
  });

  it('opens with its generation, also after others', async () => {
    const two = await deriveKeys([firstKey, new Uint8Array(32)]);
    expect(await openRecord(two, name, RECORD)).to.include({ title: 'Tea' });
    const record = await sealRecord(two, name, note);
    if (record === 'too-large') throw new Error('It is not.');
    expect(record.slice(0, 2)).to.deep.equal(Uint8Array.of(1, 2));
    expect(await openRecord(two, name, record)).to.deep.equal(note);
    expect(await codeOf(openRecord(keys, name, record))).to.equal('unknown-key');
    expect(await codeOf(openRecord(two, name, record.with(1, 1)))).to.equal('damaged');
  });

  it('is not larger than a server takes: more goes into pieces', async () => {
    let text = noise(1_287_000);
    let packed = await packPayload({ ...note, text });
    expect(packed.length).to.be.within(MAX_CONTENT_BYTES - 40_000, MAX_CONTENT_BYTES + 40_000);
    // To the limit, one character after the other as it comes near.
    while (packed.length > MAX_CONTENT_BYTES) {
      text = text.slice(0, -Math.max(1, packed.length - MAX_CONTENT_BYTES));
      packed = await packPayload({ ...note, text });
    }
    while (packed.length <= MAX_CONTENT_BYTES) {
      text += noise(Math.max(1, MAX_CONTENT_BYTES - packed.length));
      packed = await packPayload({ ...note, text });
    }
    expect(await sealRecord(keys, name, { ...note, text })).to.equal('too-large');
    while (packed.length > MAX_CONTENT_BYTES) {
      text = text.slice(0, -1);
      packed = await packPayload({ ...note, text });
    }
    const record = await sealRecord(keys, name, { ...note, text });
    expect(record.length).to.be.within(MAX_RECORD_BYTES - 256, MAX_RECORD_BYTES);
    expect(await unpackPayload(keys, name, packed)).to.deep.equal({ ...note, text });
  });

  itInAll('of the largest note goes into pieces whose names fit', async () => {
    const text = noise(MAX_TEXT_BYTES);
    const packed = await packPayload({ ...note, text });
    expect(packed.length).to.be.lessThan(MAX_PACKED_PIECES * MAX_PIECE_BYTES);
    expect(await unpackPayload(keys, name, packed)).to.deep.equal({ ...note, text });
    const escaped = { ...note, text: '\u0001'.repeat(MAX_TEXT_BYTES) };
    const small = await sealRecord(keys, name, escaped);
    if (small === 'too-large') throw new Error('It is not.');
    expect(await openRecord(keys, name, small)).to.deep.equal(escaped);
  });

  it('is inflated to the limit and not further', async () => {
    const spaces = new Uint8Array(1024 * 1024).fill(32);
    const json = JSON.stringify(note);
    const rest = MAX_PAYLOAD_BYTES - json.length;
    const parts = Array.from({ length: Math.floor(rest / spaces.length) }, () => spaces);
    parts.push(spaces.slice(0, rest % spaces.length));
    const largest = await forge(keys, name, await deflate(json, ...parts));
    expect(await openRecord(keys, name, largest)).to.deep.equal(note);
    const larger = await forge(keys, name, await deflate(json, ...parts, ' '));
    expect(await codeOf(openRecord(keys, name, larger))).to.equal('too-large');
  });

  it('of a hostile device ends with an error', async () => {
    const packed = await packPayload(note);
    const open = async (content: Uint8Array, size?: number) =>
      await codeOf(openRecord(keys, name, await forge(keys, name, content, size)));
    expect(await open(packed)).to.equal(undefined);
    expect(await open(packed, packed.length + 1)).to.equal('damaged');
    expect(await open(packed, 0xffffffff)).to.equal('damaged');
    expect(await open(packed, packed.length - 1)).to.equal('invalid');
    expect(await open(new Uint8Array(0))).to.equal('invalid');
    expect(await open(await deflate('{'))).to.equal('invalid');
    expect(await open(await deflate(Uint8Array.of(0xff)))).to.equal('invalid');
    expect(await open(await deflate('null'))).to.equal('invalid');
    expect(await open(await deflate('['.repeat(1_000_000)))).to.equal('invalid');
    const moved = { ...note, key: '01ARZ3NDEKTSV4RRFFQ69G5FAW' };
    expect(await open(await packPayload(moved)), 'of another note').to.equal('invalid');
    expect(await open(await packPayload({ ...note, v: 2 }))).to.equal('newer');
  });
});

describe('a sealed piece', () => {
  it('has up to 512 KiB, and fits into a record', async () => {
    const keys = await deriveKeys([firstKey]);
    for (const size of [0, 1, 252, 253, MAX_PIECE_BYTES]) {
      const bytes = new Uint8Array(size).fill(7);
      const piece = await sealPiece(keys, PIECE_NAME, bytes);
      expect(piece.length).to.be.lessThan(MAX_RECORD_BYTES);
      expect(piece.length).to.equal(30 + Math.ceil((size + 4) / 256) * 256);
      expect(await openPiece(keys, PIECE_NAME, piece)).to.deep.equal(bytes);
    }
    const error: unknown = await sealPiece(
      keys,
      PIECE_NAME,
      new Uint8Array(MAX_PIECE_BYTES + 1),
    ).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
  });
});

describe('a payload', () => {
  const name = 'A'.repeat(22);
  const file = fileOf({});
  const deletion = { v: 1, kind: 'note', key: note.key, counter: 1, deleted: true, at: 0 };
  const device = { v: 1, kind: 'device', key: 'a-B_9', counter: 1, name: 'Laptop', seenAt: 0 };
  const pieced = { v: 1, kind: 'file', key: 'a', counter: 1, packed: [name] };

  const valid: [what: string, payload: object][] = [
    ['a note', note],
    ['a file', file],
    ['a deletion', deletion],
    ['a deleted file', { ...deletion, kind: 'file', key: 'a/b' }],
    ['a device', device],
    ['a packed entry', pieced],
    ['the longest title', { ...note, title: 'a'.repeat(MAX_TITLE_LENGTH) }],
    ['the largest text', { ...note, text: 'a'.repeat(MAX_TEXT_BYTES) }],
    [
      'the most and longest tags',
      { ...note, tags: Array(MAX_TAGS).fill('a'.repeat(MAX_TAG_LENGTH)) },
    ],
    ['hints', { ...note, audience: ['user', 'assistant'], priority: 1 }],
    [
      'its version',
      {
        v: 1,
        kind: 'note',
        key: note.key,
        counter: 1,
        deleted: true,
        at: 1,
        id: 'abcdefgh',
        past: Array.from({ length: 16 }, () => '01234567'),
      },
    ],
    ['the first and last times', { ...note, createdAt: -8.64e15, updatedAt: 8.64e15 }],
    ['the longest path', { ...file, key: 'ä'.repeat(MAX_PATH_BYTES / 2) }],
    ['the largest file', { ...file, size: MAX_FILE_BYTES }],
    ['the most pieces', { ...file, pieces: Array(131_072).fill(name) }],
    ['the most packed pieces', { ...pieced, packed: Array(MAX_PACKED_PIECES).fill(name) }],
    [
      'the longest media type',
      { ...file, mediaType: `a/${'b'.repeat(MAX_MEDIA_TYPE_LENGTH - 2)}` },
    ],
    ['the longest name of a device', { ...device, name: 'é'.repeat(MAX_DEVICE_NAME_LENGTH) }],
    // Beside ["x", and ]], and the quotes.
    ['the most of a later version', { ...note, x: 'a'.repeat(MAX_UNKNOWN_LENGTH - 10) }],
    ['the highest counter', { ...note, counter: Number.MAX_SAFE_INTEGER - 2 ** 40 }],
  ];
  const invalid: [what: string, payload: unknown][] = [
    ['a string', 'note'],
    ['a list', [note]],
    ['no kind', { ...note, kind: undefined }],
    ['an inherited kind', { ...note, kind: 'constructor' }],
    ['another kind', { ...note, kind: 'piece' }],
    ['version 0', { ...note, v: 0 }],
    ['a version that is not a number', { ...note, v: '2' }],
    ['no counter', { ...note, counter: undefined }],
    ['a counter of 0', { ...note, counter: 0 }],
    ['a counter that cannot count', { ...note, counter: Number.MAX_SAFE_INTEGER - 2 ** 40 + 1 }],
    ['an id that is not one', { ...note, key: '01arz3ndektsv4rrffq69g5fav' }],
    ['an id with a line break', { ...note, key: `${note.key}\n` }],
    ['a longer title', { ...note, title: 'a'.repeat(MAX_TITLE_LENGTH + 1) }],
    ['half a character', { ...note, title: '\ud83d' }],
    ['a larger text', { ...note, text: 'a'.repeat(MAX_TEXT_BYTES + 1) }],
    ['a text of more bytes', { ...note, text: `ä${'a'.repeat(MAX_TEXT_BYTES - 1)}` }],
    ['a text that is a number', { ...note, text: 1 }],
    ['a tag more', { ...note, tags: Array(MAX_TAGS + 1).fill('a') }],
    ['a longer tag', { ...note, tags: ['a'.repeat(MAX_TAG_LENGTH + 1)] }],
    ['tags that look like a list', { ...note, tags: { length: 0 } }],
    ['a time that no Date holds', { ...note, updatedAt: 8.64e15 + 1 }],
    ['a time in parts', { ...note, createdAt: 0.5 }],
    ['no time', { ...note, createdAt: null }],
    ['another audience', { ...note, audience: ['robot'] }],
    ['a version without a name', { ...note, id: 'abc' }],
    ['too many versions', { ...note, past: Array.from({ length: 17 }, () => 'abcdefgh') }],
    ['an audience twice', { ...note, audience: ['user', 'user'] }],
    ['an empty audience', { ...note, audience: [] }],
    ['too high a priority', { ...note, priority: 1.1 }],
    ['a field of the prototype', JSON.parse('{"__proto__": {"v": 1}}')],
    ['a prototype', { ...note, ...JSON.parse('{"x": 1}'), ['__proto__']: { v: 1 } }],
    ['too much of a later version', { ...note, x: 'a'.repeat(MAX_UNKNOWN_LENGTH - 9) }],
    ['a later version too deep', { ...note, x: deep(100_000) }],
    ['a longer path', { ...file, key: 'ä'.repeat(MAX_PATH_BYTES / 2 + 1) }],
    ['a path upwards', { ...file, key: 'a/../b' }],
    ['a path from the root', { ...file, key: '/a' }],
    ['an empty path', { ...file, key: '' }],
    ['a path with NUL', { ...file, key: 'a\0' }],
    ['a larger file', { ...file, size: MAX_FILE_BYTES + 1 }],
    ['a negative size', { ...file, size: -1 }],
    ['a digest in capitals', { ...file, digest: 'A'.repeat(64) }],
    ['a longer media type', { ...file, mediaType: `a/${'b'.repeat(MAX_MEDIA_TYPE_LENGTH - 1)}` }],
    ['a media type with parameters', { ...file, mediaType: 'text/html; charset=x' }],
    ['a piece more', { ...file, pieces: Array(131_073).fill(name) }],
    ['the name of a piece that is not one', { ...file, pieces: ['../keys'] }],
    ['a packed piece more', { ...pieced, packed: Array(MAX_PACKED_PIECES + 1).fill(name) }],
    ['a deletion that is not one', { ...deletion, deleted: false }],
    ['a deletion without a time', { ...deletion, at: undefined }],
    ['a longer name of a device', { ...device, name: 'a'.repeat(MAX_DEVICE_NAME_LENGTH + 1) }],
    ['a name in two lines', { ...device, name: 'a\nb' }],
    ['a name that turns the direction', { ...device, name: 'a\u202eb' }],
    ['a note with pieces that are none', { ...note, pieces: 1 }],
    ['a deletion with a text that is none', { ...deletion, text: null }],
    ['a device that is packed as nothing is', { ...device, packed: { length: 5 } }],
    ['a deleted device', { ...deletion, kind: 'device', key: 'a' }],
  ];
  for (const [what, payload] of valid) {
    it(`passes: ${what}`, () => {
      expect(checkPayload(payload)).to.equal(payload);
    });
  }
  for (const [what, payload] of invalid) {
    it(`is refused: ${what}`, async () => {
      expect(await codeOf(() => checkPayload(payload))).to.equal('invalid');
    });
  }

  it('of a later version says so, whatever else it has', async () => {
    expect(await codeOf(() => checkPayload({ v: 2, kind: 'folder' }))).to.equal('newer');
  });
});

function deep(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
