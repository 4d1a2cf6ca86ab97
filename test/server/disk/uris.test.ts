import { expect } from '@esm-bundle/chai';
import { MAX_URI_LENGTH } from '@inpage-mcp/protocol';
import { diskUri, parseDiskUri } from '../../../packages/server/src/disk/disk-uris.js';
import { describeDisk, uriOf, useDisk } from '../../support/disk.js';

/** Other spellings of these two, and what leads elsewhere. */
const FOLDER = 'disk:///project/src/';
const FILE = `${FOLDER}%C3%A4%20b`;
const OTHERS = `
  disk:///project/src/ä%20b disk:///project/src/%c3%a4%20b disk:///project/src/%C3%A4+b
  disk:///project/s%72c/%C3%A4%20b disk:///project/SRC/%C3%A4%20b disk:///Project/src/%C3%A4%20b
  DISK:///project/src/%C3%A4%20b disk://project/src/%C3%A4%20b disk:/project/src/%C3%A4%20b
  disk:///project//src/%C3%A4%20b disk:///project/./src/%C3%A4%20b disk:///project/src/./
  disk:///project/src/../src/%C3%A4%20b disk:///project/src/.. disk:///project/src/../
  disk:///project/src/%2e%2e/src/ disk:///project/src/%2E%2E/ disk:///project/src%2F%C3%A4%20b
  disk:///project%2Fsrc/ disk:///..%2Fproject/src/ ${FILE}/ ${FILE}? ${FILE}#a ${FILE}?from=1
  ${FILE}%00 ${FILE}% ${FILE}%ED%A0%80 disk:///project/src disk:///project ${FOLDER}?from=0
  ${FOLDER}?from=01 ${FOLDER}?from= ${FOLDER}?from=1?from=1 ${FOLDER}?FROM=1 disk:///?from=1`;

describeDisk('the address of a file of the disk', () => {
  const own = useDisk();

  it('has one spelling, byte for byte', async () => {
    await own.save('src/ä b', 'text');
    await own.mount();
    expect(await own.read(FILE)).to.equal('text');
    expect(await own.read(FOLDER)).to.contain(FILE);
    for (const uri of [...OTHERS.trim().split(/\s+/), `${FOLDER}ä b`])
      expect(await own.read(uri), uri).to.equal(undefined);
  });

  it('names any name that a file can have, and none that leads elsewhere', () => {
    for (const name of ['a', '%41', '?from=1', '#', "!'()*~", '\u{1f600}', 'e\u0301', '\\', '...'])
      expect(parseDiskUri(uriOf(name))?.names, name).to.eql(['project', name]);
    for (const name of ['.', '..', 'a/b', 'a\0'])
      expect(parseDiskUri(diskUri(['project', name], false)), name).to.equal(undefined);
    expect(parseDiskUri(`${FOLDER}?from=999999999`)?.from).to.equal(999_999_999);
    expect(parseDiskUri(`${FOLDER}?from=1000000000`)).to.equal(undefined);
  });

  it(`has at most ${MAX_URI_LENGTH} characters: what needs more does not exist`, async () => {
    const parents = `${'x'.repeat(250)}/`.repeat(8);
    const fits = parents + 'y'.repeat(MAX_URI_LENGTH - uriOf(parents).length);
    await own.plant(fits, `${fits}y`);
    await own.mount({ write: true });
    expect(uriOf(fits)).to.have.length(MAX_URI_LENGTH);
    expect(await own.read(uriOf(fits))).to.equal('');
    expect(await own.read(`${uriOf(fits)}y`)).to.equal(undefined);
    expect((await own.listed()).at(-1)).to.equal(uriOf(fits));
    expect((await own.search('yy')).matches).to.have.length(1);
  });
});
