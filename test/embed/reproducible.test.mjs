// Two builds of the same sources, in two folders, are the same: packages, demo and docs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { packageNames, root } from '../../scripts/project/project.mjs';
import { run } from '../../scripts/project/run.mjs';

/** Of different lengths: a path that gets into a file would change its size, too. */
const folders = [1, 2].map((count) =>
  join(tmpdir(), `inpage-mcp-${'again-'.repeat(count)}${process.pid}`),
);
const skip = !process.env['EMBED_SOAK'] && 'only with --soak';

/** @param {string} folder */
function copyTo(folder) {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  mkdirSync(folder, { recursive: true });
  for (const file of files.toString().split('\0')) {
    if (!file || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    execFileSync('cp', ['-a', join(root, file), join(folder, file)]);
  }
  // Linked file by file: the folder of a package is part of what a bundler sees.
  for (const name of ['.', 'demo', ...packageNames.map((one) => `packages/${one}`)])
    if (existsSync(join(root, name, 'node_modules')))
      execFileSync('cp', ['-al', join(root, name, 'node_modules'), join(folder, name)]);
  execFileSync('rm', [
    '-rf',
    join(folder, 'node_modules/.cache'),
    join(folder, 'node_modules/.vite'),
  ]);
}

/**
 * The files of a build with their hashes.
 * @param {string} folder
 */
function filesOf(folder) {
  const built = [...packageNames.map((name) => `packages/${name}/dist`), 'demo/dist'];
  return built.flatMap((path) =>
    readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.tsbuildinfo'))
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
        return `${file.slice(folder.length)} ${hash}`;
      })
      .toSorted(),
  );
}

void describe('a build', { skip }, () => {
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  void it('is the same in another folder, and names none', { timeout: 1_800_000 }, async () => {
    for (const folder of folders) {
      copyTo(folder);
      const env = { ...process.env, INPAGE_MCP_IS_BUILT: '' };
      const { code, output } = await run(process.execPath, ['scripts/build.mjs'], {
        cwd: folder,
        capture: true,
        env,
      });
      assert.equal(code, 0, output);
    }
    const [one = [], two = []] = folders.map(filesOf);
    assert.ok(one.length > 500);
    assert.deepEqual(
      one.filter((line) => !two.includes(line)),
      [],
    );
    assert.equal(one.length, two.length);
    const [folder = ''] = folders;
    const naming = one
      .map((line) => line.slice(0, line.lastIndexOf(' ')))
      .filter((path) => readFileSync(`${folder}${path}`).includes(folder));
    assert.deepEqual(naming, []);
  });
});
