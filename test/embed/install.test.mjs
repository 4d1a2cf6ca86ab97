// What the documents tell an app to install brings nothing that belongs to a server.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { inRoot } from '../../scripts/project/project.mjs';
import { run, runNpm } from '../../scripts/project/run.mjs';
import { inApp } from './folder.mjs';

const DOCUMENTS = ['README.md', 'docs/guides/embed.md', 'examples/README.md'];

/** Of the bridge, which runs in Node. */
const OF_A_SERVER = ['@modelcontextprotocol', 'hono', 'ws', 'zod'];

void describe('the line of the documents that installs the packages', () => {
  void it('is the same everywhere', async () => {
    const lines = await Promise.all(DOCUMENTS.map(installLine));
    assert.deepEqual([...new Set(lines)], [lines[0]]);
  });

  void it('brings the packages for the page, and nothing of a server', async () => {
    const folder = inApp('installed');
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/package.json`, '{ "type": "module", "private": true }');
    const [, names = ''] = /\{(.*)\}/.exec(await installLine('README.md')) ?? [];
    const tarballs = names.split(',').map(tarballOf);
    const args = ['install', '--prefer-offline', '--no-audit', ...tarballs];
    const { code, output } = await runNpm(args, { capture: true, cwd: folder });
    assert.equal(code, 0, output);
    const installed = readdirSync(`${folder}/node_modules`);
    assert.deepEqual(
      OF_A_SERVER.filter((name) => installed.includes(name)),
      [],
    );
    const script = `await import('@inpage-mcp/elements'); await import('@inpage-mcp/runtime');`;
    const node = ['--input-type=module', '--eval', script];
    const imported = await run(process.execPath, node, { capture: true, cwd: folder });
    assert.deepEqual(imported, { code: 0, output: '' });
  });
});

void describe('an update of one package alone', () => {
  void it('is refused by npm, with the packages that it would install twice', async () => {
    const folder = inApp('updated');
    await mkdir(`${folder}/next`, { recursive: true });
    await writeFile(`${folder}/package.json`, '{ "type": "module", "private": true }');
    const [, names = ''] = /\{(.*)\}/.exec(await installLine('README.md')) ?? [];
    /** @param {string[]} tarballs */
    const install = (tarballs) =>
      runNpm(['install', '--prefer-offline', '--no-audit', ...tarballs], {
        capture: true,
        cwd: folder,
      });
    assert.equal((await install(names.split(',').map(tarballOf))).code, 0);
    await run('tar', ['-xzf', tarballOf('runtime'), '-C', `${folder}/next`]);
    const path = `${folder}/next/package/package.json`;
    const manifest = await readFile(path, 'utf8');
    const { version } = JSON.parse(manifest);
    await writeFile(path, manifest.replace(`"version": "${version}"`, '"version": "99.0.0"'));
    const { code, output } = await install([`${folder}/next/package`]);
    assert.notEqual(code, 0);
    assert.match(
      output,
      /peerOptional @inpage-mcp\/runtime@"[\d.]+" from @inpage-mcp\/(client|elements)/,
    );
  });
});

/** @param {string} document */
async function installLine(document) {
  const text = await readFile(inRoot(document), 'utf8');
  const [line = ''] = /^npm install \S+\.tgz$/m.exec(text) ?? [];
  assert.notEqual(line, '', `${document} has no such line.`);
  return line;
}

/** @param {string} name of a package */
function tarballOf(name) {
  const files = readdirSync(inApp('packed'));
  const file = files.find((one) => one.startsWith(`inpage-mcp-${name}-`));
  assert.ok(file, `There is no tarball of ${name}.`);
  return inApp('packed', file);
}
