// The command that makes one HTML file of an app.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../scripts/project/project.mjs';

/** @param {import('node:test').TestContext} t @param {Record<string, string>} files */
function folderWith(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-app-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** @param {string} cwd @param {string[]} args */
function run(cwd, ...args) {
  const command = inRoot('packages/apps/dist/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

void test('scripts, styles and pictures become one file', (t) => {
  const folder = folderWith(t, {
    'app.ts': `import './app.css'; import { text } from './text.js'; import picture from './dot.png';
      const later = await import('./later.ts'); document.body.append(text, picture, later.name);`,
    'text.ts': `export const text: string = '</script><!--<script>';`,
    'later.ts': `export const name = 'later';`,
    'app.css': `body::before { content: '</style>'; color: red }`,
    'dot.png': 'png',
  });
  const { status, stdout } = run(folder, 'build', 'app.ts', '--title', 'A < B');
  assert.equal(status, 0);
  assert.match(stdout, /^app\.html: 0\.\d kB, 0\.\d kB gzipped\n$/);
  const html = readFileSync(join(folder, 'app.html'), 'utf8');
  assert.match(html, /^<!doctype html>/);
  assert.match(html, /<title>A &lt; B<\/title>/);
  assert.match(html, /"data:image\/png,png"/);
  assert.match(html, /later/);
  assert.equal(html.match(/<\/script/g)?.length, 1);
  assert.equal(html.match(/<\/style/g)?.length, 1);
  assert.doesNotMatch(html, /<!--|<link|src=|https?:/);
});

void test('the example becomes one small file', (t) => {
  const folder = folderWith(t, {});
  const out = join(folder, 'dice.html');
  assert.equal(run(inRoot('examples/app'), 'build', 'src/app.ts', '--out', out).status, 0);
  const html = readFileSync(out, 'utf8');
  assert.match(html, /Roll again/);
  assert.ok(html.length < 40_000);
});

void test('the file goes where it shall', (t) => {
  const folder = folderWith(t, { 'app.js': 'document.body.append(1)' });
  assert.equal(run(folder, 'build', 'app.js', '--out', 'site/page.html').status, 0);
  assert.match(readFileSync(join(folder, 'site/page.html'), 'utf8'), /<title>app<\/title>/);
});

void test('what goes wrong is said in words', (t) => {
  const folder = folderWith(t, { 'wrong.ts': '\nconst a = ;' });
  for (const [args, words] of /** @type {[string[], RegExp][]} */ ([
    [['build', 'none.ts'], /Could not resolve .*none\.ts/],
    [['build', 'wrong.ts'], /Unexpected ";"[^]*wrong\.ts:2:10/],
    [['build', 'wrong.ts', '--minify'], /Unknown option '--minify'[^]*--help/],
    [['build'], /build needs the script of the app[^]*--help/],
    [['build', 'a.ts', 'b.ts'], /build takes one script/],
    [['serve'], /There is no command serve/],
  ])) {
    const { status, stdout, stderr } = run(folder, ...args);
    assert.deepEqual([status, stdout], [1, ''], args.join(' '));
    assert.match(stderr, words);
  }
  assert.match(run(folder, '--help').stdout, /inpage-mcp-app build ENTRY/);
});
