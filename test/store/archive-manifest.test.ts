import { expect } from '@esm-bundle/chai';
import type { StoredFile, StoreError } from '@inpage-mcp/store';
// These files are internal to the package: a store with so many files would take minutes to make.
import { JsonMembers, type Member } from '../../packages/store/src/archive/json-members.js';
import {
  type Claims,
  ManifestWriter,
  readManifest,
} from '../../packages/store/src/archive/manifest.js';
import { failureOf } from '../support/failure.js';
import { bytesOf } from './zip-builder.js';

describe('the manifest of an archive', () => {
  const file = (index: number): StoredFile => ({
    path: `folder/${index}"\\, {[}]:\n題`,
    mediaType: 'text/plain',
    size: index,
    createdAt: 1,
    updatedAt: 2,
    revision: index + 1,
    audience: ['user'],
  });

  async function* piecesOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  }

  it('of many files is read as it was written, in pieces of any length', async () => {
    const count = 20_000;
    const writer = new ManifestWriter(0);
    for (let index = 0; index < count; index++) writer.addFile(file(index));
    writer.addUnreadable({ name: `files/${file(3).path}`, reason: 'It could not be read.' });
    const bytes = new Uint8Array(await writer.content.arrayBuffer());
    const { files, counts } = JSON.parse(new TextDecoder().decode(bytes)) as {
      files: StoredFile[];
      counts: object;
    };
    expect(counts).to.deep.equal({ notes: 0, files: count });
    expect(files).to.have.length(count);
    expect(files[12_345]).to.deep.equal(file(12_345));
    for (const length of [7, 1_000, bytes.length]) {
      const claims: Claims = new Map(
        [3, 12_345, count].map((index) => [file(index).path, undefined]),
      );
      let missing = 0;
      await readManifest(piecesOf(bytes, length), claims, () => (missing += 1));
      expect(missing).to.equal(count - 2);
      expect(claims.size).to.equal(3);
      expect(claims.get(file(12_345).path)).to.deep.equal(file(12_345));
      expect(claims.get(file(3).path)).to.match(/whole/);
      expect(claims.get(file(count).path)).to.equal(undefined);
    }
  });

  it('that is laid out anew by another program is read', async () => {
    const content = {
      unreadable: [],
      other: { files: [1] },
      files: [file(1), 'x', null, { path: 5 }],
      version: 1,
      none: [],
      format: 'inpage-mcp archive',
    };
    const claims: Claims = new Map([[file(1).path, undefined]]);
    const bytes = bytesOf(`\ufeff${JSON.stringify(content, null, '\t')}\r\n`);
    await readManifest(piecesOf(bytes, 3), claims, () => undefined);
    expect(claims.get(file(1).path)).to.deep.equal(file(1));
  });

  const membersOf = (texts: readonly string[]): Member[] => {
    const members = new JsonMembers();
    const found = texts.flatMap((text) => [...members.push(text)]);
    members.end();
    return found;
  };

  it('is taken apart alike wherever it is cut', () => {
    const text =
      ' { "a\\"" : [ 1 , "]\\\\" , [ {} , "," ] ] , "b" : { "c" : [ ] } , "d":[ ], "e": null } ';
    const expected: Member[] = [
      { name: 'a"', value: 1 },
      { name: 'a"', value: ']\\' },
      { name: 'a"', value: [{}, ','] },
      { name: 'b', value: { c: [] } },
      { name: 'e', value: null },
    ];
    for (let at = 0; at <= text.length; at++) {
      expect(membersOf([text.slice(0, at), text.slice(at)])).to.deep.equal(expected);
    }
    expect(membersOf(['{}'])).to.deep.equal([]);
  });

  const wrong = [
    '',
    '{',
    '[]',
    '1',
    '"a"',
    '{}{}',
    '{} 1',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{1:1}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":[1 2]}',
    '{"a":[1}',
    '{"a":{]}',
    '{"a":1[2]}',
    '{"a":[1]2}',
    '{"a":"}',
    'x{}',
    '{"a":[1]:1}',
    '{"a":1:1}',
    '{"a":[1],}',
    '{"a" "b":1}',
  ];
  for (const text of wrong) {
    it(`is damaged where it is ${JSON.stringify(text)}`, async () => {
      expect(() => JSON.parse(text) as unknown).to.satisfy((parse: () => unknown) => {
        try {
          const value = parse();
          return typeof value !== 'object' || Array.isArray(value);
        } catch {
          return true;
        }
      });
      expect(() => membersOf([text])).to.throw(SyntaxError);
      const reading = readManifest(piecesOf(bytesOf(text), 1), new Map(), () => undefined);
      const error = (await failureOf(reading)) as StoreError;
      expect(error.code).to.equal('invalid-argument');
      expect(error.message).to.match(/damaged/);
    });
  }

  it('is damaged where it is not in UTF-8', async () => {
    const bytes = Uint8Array.of(...bytesOf('{"a":"'), 0xff, ...bytesOf('"}'));
    const reading = readManifest(piecesOf(bytes, 100), new Map(), () => undefined);
    expect(((await failureOf(reading)) as StoreError).message).to.match(/damaged/);
  });
});
