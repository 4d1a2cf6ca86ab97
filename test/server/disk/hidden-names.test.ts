import { expect } from '@esm-bundle/chai';
import { failureOf } from '../../support/failure.js';
import { describeDisk, uriOf, useDisk } from '../../support/disk.js';

const HIDDEN = `
  .env .git .SSH .a.txt node_modules Node_Modules NODE_MODULES x.crswap x.txt.CRSWAP a~ a.txt~ #a#
  GIT~1 git~2 CREDEN~1.JSO a~12.t id_rsa ID_RSA id_rsa.pub id_dsa id_ecdsa_sk id_ed25519 credentials
  Credentials.json a.pem A.PEM a.key a.p12 a.pfx a.ppk a.kdbx a.jks a.keystore`
  .trim()
  .split(/\s+/)
  // Characters that a disk may ignore, and letters that it may take for others.
  .concat(['\u200b.env', '.\u200denv', 'node_mo\u00addules', 'id\ufeff_rsa', 'a.pem\u200c'])
  .concat(['a.\u212aey', 'id_r\u017fa', 'node_module\u017f', 'credential\u017f']);

const SHOWN = `
  env git node_modules2 my_node_modules crswap a~b #a a~b~x idea my_id_rsa my_credentials a.pem.txt
  pem monkey cafe\u0301 \u017f`
  .trim()
  .split(/\s+/);

describeDisk('a name that is always left out', () => {
  const own = useDisk();

  /** The addresses of all that the lists, the completions and the search show in the folder itself. */
  const shown = async (): Promise<string[]> => {
    const { children } = await own.readFolder(uriOf(''));
    const { matches } = await own.search(' ');
    const { values } = await own.complete('project/');
    const uris = [...children, ...matches].map(({ uri }) => uri);
    const completed = values.map((value) => `disk:///${value}`);
    return [...new Set([...(await own.listed()).slice(1), ...uris, ...completed])].toSorted();
  };
  /** Whether a file of this path, or something in a folder of this path, is to be had. */
  const isServed = async (path: string): Promise<boolean> => {
    for (const one of [path, `${path}/`, `${path}/x`])
      if ((await own.read(uriOf(one))) !== undefined) return true;
    return (await own.complete(`project/${path}/`)).values.length > 0;
  };

  it('is neither listed, nor read, completed, found or written', async () => {
    await own.plant(...HIDDEN.map((name) => `folders/${name}/x`));
    await own.plant(...[...HIDDEN, ...SHOWN].map((name) => `files/${name}`));
    for (const [part, visible] of [
      ['files', SHOWN],
      ['folders', []],
    ] as const) {
      await own.mount({ name: 'project', write: true }, await own.folderAt(part));
      expect(await shown()).to.eql(visible.map(uriOf).toSorted());
      for (const name of visible) expect(await isServed(name), name).to.equal(true);
      for (const name of HIDDEN) {
        expect(await isServed(name), name).to.equal(false);
        for (const path of [name, `new/${name}`, `${name}/new`]) {
          const saving = own.write('save_file', { path: uriOf(path), content: new Blob(['no']) });
          expect(await failureOf(saving), path).to.match(/is never written/);
        }
      }
      await own.disk.control.unmount('project');
    }
    expect(await own.textOf('files/.env')).to.equal('');
  });

  it('is one of the patterns of the page, too', async () => {
    await own.plant(
      'a.log',
      'B.LOG',
      'keep.log',
      'out/x',
      'src/out/x',
      'src/out.txt',
      'src/e\u0301',
    );
    await own.mount({ ignore: ['*.log', '!keep.log', '/out/', 'src/\u00e9'] });
    const kept = ['keep.log', 'src/', 'src/out/', 'src/out/x', 'src/out.txt'].map(uriOf);
    expect(await own.listed()).to.eql([uriOf(''), ...kept]);
    expect(await shown()).to.eql(kept.toSorted());
    for (const path of ['a.log', 'B.LOG', 'out', 'src/e\u0301'])
      expect(await isServed(path), path).to.equal(false);
  });

  it('is one of each `.gitignore`, for its own folder and those inside', async () => {
    await own.save('.gitignore', 'dist/\r\n*.log\n# *.txt');
    await own.save('src/.gitignore', '/secret\ntmp');
    await own.plant('dist/x', 'src/dist/x', 'src/a.log', 'src/secret', 'src/a/secret', 'src/a/tmp');
    await own.plant('secret', 'tmp', 'a.txt');
    await own.mount({ ignore: 'gitignore' });
    const before = ['', 'a.txt', 'secret', 'src/', 'src/a/', 'src/a/secret', 'tmp'];
    expect(await own.listed()).to.eql(before.map(uriOf));
    for (const path of ['dist', 'src/dist', 'src/a.log', 'src/secret', 'src/a/tmp'])
      expect(await isServed(path), path).to.equal(false);
    // Another program changes the patterns, also where no browser reports it.
    await own.save('.gitignore', 'a.txt\ndist');
    await own.remove('src/.gitignore');
    await own.disk.control.refresh();
    const after = ['src/a/tmp', 'src/a.log', 'src/secret', 'tmp'];
    expect(await own.listed()).to.eql(['', ...before.slice(2, -1), ...after].map(uriOf));
  });

  it('is any while nobody can tell what a `.gitignore` says', async () => {
    await own.save('.gitignore', '*.log');
    await own.plant('a.log', 'a.txt');
    await own.mount({ ignore: 'gitignore' });
    const { prototype } = FileSystemFileHandle;
    const { getFile } = prototype;
    prototype.getFile = async function () {
      if (this.name === '.gitignore') throw new DOMException('', 'NotAllowedError');
      return await getFile.call(this);
    };
    try {
      expect(await own.listed()).to.eql([uriOf('')]);
      expect((await own.complete('project/')).values).to.eql([]);
      for (const path of ['a.log', 'a.txt', ''])
        expect(await failureOf(own.read(uriOf(path)))).to.match(/allow this folder again/);
    } finally {
      prototype.getFile = getFile;
    }
    expect(await own.listed()).to.eql(['', 'a.txt'].map(uriOf));
  });
});
