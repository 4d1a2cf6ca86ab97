import { expect } from '@esm-bundle/chai';
import type { StoredFile, StoreError } from '@inpage-mcp/store';
// These files are internal to the package: a store with so many files would take minutes to make.
import { ManifestWriter } from '../../packages/store/src/archive/manifest.js';
import {
  type Claims,
  parseFirstManifest,
  parseLines,
  readManifest,
} from '../../packages/store/src/archive/read-manifest.js';
import { failureOf } from '../support/failure.js';
import { bytesOf } from './zip-builder.js';
import { itInAll } from '../support/it-in-all.js';

describe('the manifest of an archive', () => {
  const file = (index: number): StoredFile => ({
    path: `folder/${index}"\\, {[}]:\n\u2028題`,
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

  const linesOf = (text: string, length = 100): AsyncIterable<unknown> =>
    parseLines(piecesOf(bytesOf(text), length));
  const HEAD = '{"format":"inpage-mcp archive","version":2}\n';

  it('of many files is read as it was written, in pieces of any length', async () => {
    const count = 5_000;
    const writer = new ManifestWriter(0);
    for (let index = 0; index < count; index++)
      writer.addFile(file(index), `files/${file(index).path}`);
    const unreadable = { name: `files/${file(3).path}`, reason: 'It could not be read.' };
    writer.addUnreadable(unreadable);
    const bytes = new Uint8Array(await writer.content.arrayBuffer());
    // As any other program can: each line is JSON.
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
    expect(lines).to.have.length(count + 2);
    expect(JSON.parse(lines[0]!)).to.deep.equal({
      format: 'inpage-mcp archive',
      version: 2,
      exportedAt: '1970-01-01T00:00:00.000Z',
      counts: { notes: 0, files: count },
    });
    expect(JSON.parse(lines[3_211]!)).to.deep.equal({ file: file(3_210) });
    expect(JSON.parse(lines.at(-1)!)).to.deep.equal({ unreadable });
    for (const length of [7, 1_000, bytes.length]) {
      const claims: Claims = new Map(
        [3, 3_210, count].map((index) => [file(index).path, undefined]),
      );
      let missing = 0;
      await readManifest(parseLines(piecesOf(bytes, length)), claims, () => (missing += 1));
      expect(missing).to.equal(count - 2);
      expect(claims.size).to.equal(3);
      expect(claims.get(file(3_210).path)).to.deep.equal(file(3_210));
      expect(claims.get(file(3).path)).to.match(/whole/);
      expect(claims.get(file(count).path)).to.equal(undefined);
    }
  });

  it('lets other tasks run while it is read', async () => {
    const text = HEAD + `${JSON.stringify({ file: file(1) })}\n`.repeat(50_000);
    let tasks = 0;
    const timer = setInterval(() => (tasks += 1));
    await readManifest(linesOf(text, text.length), new Map(), () => undefined);
    clearInterval(timer);
    expect(tasks).to.be.greaterThan(2);
  });

  it('that an editor has saved is read, with its mark, line ends and blank lines', async () => {
    const lines = [
      HEAD.trim(),
      '',
      ` {"file": ${JSON.stringify(file(1))} }`,
      '{"other":1}',
      '',
      '',
    ];
    for (const length of [1, 2, 1_000]) {
      const claims: Claims = new Map([[file(1).path, undefined]]);
      await readManifest(linesOf(`\ufeff${lines.join('\r\n')}`, length), claims, () => undefined);
      expect(claims.get(file(1).path)).to.deep.equal(file(1));
    }
  });

  it('passes over what it does not know', async () => {
    const known = JSON.stringify({ file: file(1) });
    const others = ['1', 'null', '"file"', '[{"file":1}]', '{"file":"x"}', '{"file":{"path":5}}'];
    const claims: Claims = new Map([[file(1).path, undefined]]);
    await readManifest(linesOf(HEAD + [...others, known].join('\n')), claims, () => undefined);
    expect(claims.get(file(1).path)).to.deep.equal(file(1));
  });

  it('of version 1 that is laid out anew by another program is read', async () => {
    const content = {
      unreadable: [{ name: `files/${file(2).path}`, reason: '' }],
      other: { files: [1] },
      files: [file(1), 'x', null, { path: 5 }, file(3)],
      version: 1,
      none: [],
      format: 'inpage-mcp archive',
    };
    const claims: Claims = new Map([1, 2].map((index) => [file(index).path, undefined]));
    const missing: string[] = [];
    const bytes = bytesOf(`\ufeff${JSON.stringify(content, null, '\t')}\r\n`);
    await readManifest(parseFirstManifest(bytes), claims, (path) => missing.push(path));
    expect(claims.get(file(1).path)).to.deep.equal(file(1));
    expect(claims.get(file(2).path)).to.match(/whole/);
    expect(missing).to.deep.equal([file(3).path]);
  });

  const expectRefusal = async (lines: AsyncIterable<unknown>, reason: RegExp): Promise<void> => {
    const error = (await failureOf(readManifest(lines, new Map(), () => undefined))) as StoreError;
    expect(error.code).to.equal('invalid-argument');
    expect(error.message).to.match(reason);
  };

  for (const text of ['{', '{}{}', '{"a":}', "{'a':1}", 'x{}', '{"a":"\n"}', '\ufffd']) {
    it(`is damaged where it is ${JSON.stringify(text)}`, async () => {
      await expectRefusal(linesOf(HEAD + text), /damaged/);
      await expectRefusal(linesOf(`${HEAD}${text}\n{}`), /damaged/);
      await expectRefusal(parseFirstManifest(bytesOf(text)), /damaged/);
    });
  }

  it('is damaged where it is not in UTF-8', async () => {
    const text = bytesOf(`${HEAD}{"file":"`);
    for (const bad of [Uint8Array.of(...text, 0xff), Uint8Array.of(...text, 0xc3)]) {
      await expectRefusal(parseLines(piecesOf(bad, 100)), /damaged/);
      await expectRefusal(parseFirstManifest(bad), /damaged/);
    }
  });

  it('may have lines of 65,536 code units, and no longer ones', async () => {
    const path = file(1).path;
    const record = JSON.stringify({ file: file(1) });
    const claims: Claims = new Map([[path, undefined]]);
    await readManifest(linesOf(HEAD + record.padEnd(64 * 1024)), claims, () => undefined);
    expect(claims.get(path)).to.deep.equal(file(1));
    await expectRefusal(linesOf(HEAD + record.padEnd(64 * 1024 + 1)), /damaged/);
    await expectRefusal(linesOf(`${HEAD}${record.padEnd(64 * 1024 + 1)}\n{}`), /damaged/);
  });

  itInAll('may have 2,000,000 lines, and no more', async function (this: Mocha.Context) {
    this.timeout(60_000);
    async function* blank(count: number): AsyncGenerator {
      yield JSON.parse(HEAD);
      for (let line = 1; line < count; line += 1) yield undefined;
    }
    await readManifest(blank(2_000_000), new Map(), () => undefined);
    await expectRefusal(blank(2_000_001), /too long/);
  });

  for (const text of ['', '1', '[]', '"a"', 'null', '{}', '{"format":1}']) {
    it(`is of another program where it is ${JSON.stringify(text)}`, async () => {
      await expectRefusal(linesOf(text), /not exported by this app/);
      if (text !== '')
        await expectRefusal(parseFirstManifest(bytesOf(text)), /not exported by this app/);
    });
  }
});
