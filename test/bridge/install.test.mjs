// `--install` and `--uninstall`: the configurations of programs, with everything else that is in them.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../scripts/serving/free-port.mjs';
import { targetOf } from '../../packages/bridge/dist/install/targets.js';
import { changedConfiguration } from '../../packages/bridge/dist/install/configuration.js';
import { PROGRAM } from './processes.mjs';

const FILES = {
  claude: '.config/Claude/claude_desktop_config.json',
  vscode: '.config/Code/User/mcp.json',
  cursor: '.cursor/mcp.json',
  'claude-code': '.claude.json',
  gemini: '.gemini/settings.json',
};

/** A home folder of a test. @param {{ after: (end: () => unknown) => void }} t */
function newHome(t) {
  const home = mkdtempSync(join(tmpdir(), 'inpage-mcp-home-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: home };
  /** @param {string} program @param {string[]} args */
  const runProgram = (program, args) =>
    spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });
  return {
    home,
    /** @param {string[]} args */
    run: (...args) => runProgram(PROGRAM, args),
    /** Runs a copy of the program. @param {string} program @param {string[]} args */
    runCopy: (program, ...args) => runProgram(program, args),
    /** @param {string} path @param {string} text */
    write(path, text) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    },
    /** @param {string} path */
    read: (path) => readFileSync(join(home, path), 'utf8'),
  };
}

// The paths of other platforms have a test of their own: the program runs on this one only.
const linux = { skip: process.platform !== 'linux' && 'the paths are those of Linux' };

for (const [target, path] of Object.entries(FILES)) {
  void test(`${target}: the bridge is added to what is there, and removed again`, linux, (t) => {
    const { run, write, read } = newHome(t);
    const key = target === 'vscode' ? 'servers' : 'mcpServers';
    const before = `${JSON.stringify({ other: [1], [key]: { mine: { command: 'x' } } }, null, 2)}\n`;
    write(path, before);
    const installed = run('--install', target, '--yes', '--page', 'https://notes.example/');
    assert.equal(installed.status, 0, installed.stderr);
    assert.equal(installed.stdout, '');
    const { [key]: servers, other } = JSON.parse(read(path));
    assert.deepEqual(other, [1]);
    assert.deepEqual(servers.mine, { command: 'x' });
    assert.equal(servers['inpage-mcp'].command, process.execPath);
    assert.deepEqual(servers['inpage-mcp'].args.slice(0, 2), [PROGRAM, '--name']);
    assert.deepEqual(servers['inpage-mcp'].args.slice(-2), ['--page', 'https://notes.example/']);
    assert.match(
      run('--install', target, '--yes', '--page', 'https://notes.example/').stderr,
      /needs no change/,
    );
    assert.equal(run('--uninstall', target, '--yes').status, 0);
    assert.equal(read(path), before);
  });
}

void test('a file that does not exist is made, and its folder', linux, (t) => {
  const { run, read } = newHome(t);
  assert.equal(run('--uninstall', 'claude', '--yes').status, 0);
  assert.throws(() => read(FILES.claude));
  assert.equal(run('--install', 'claude', '--yes').status, 0);
  assert.ok(JSON.parse(read(FILES.claude)).mcpServers['inpage-mcp']);
});

void test('what was written starts a bridge that answers', linux, async (t) => {
  const { run, read, home } = newHome(t);
  const args = ['--port', String(await freePort()), '--page', 'https://notes.example/'];
  assert.equal(run('--install', 'claude', '--yes', ...args).status, 0);
  const written = JSON.parse(read(FILES.claude)).mcpServers['inpage-mcp'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  const transport = new StdioClientTransport({ ...written, env, stderr: 'ignore' });
  const client = new Client({ name: 'Claude', version: '1.0.0' });
  t.after(() => client.close());
  await client.connect(transport);
  const { content } = await client.callTool({ name: 'open_page' });
  assert.match(JSON.stringify(content), /Open https:\/\/notes\.example\/ in a browser/);
});

void test('comments, order and indentation of a file stay', linux, (t) => {
  const { run, write, read } = newHome(t);
  const before =
    '// My servers.\n{\n\t"inputs": [], // none\n\t"servers": {\n\t\t/* the first */\n\t\t"mine": { "command": "x" },\n\t},\n}\n';
  write(FILES.vscode, before);
  assert.equal(run('--install', 'vscode', '--yes').status, 0);
  const text = read(FILES.vscode);
  for (const kept of [
    '// My servers.\n{\n\t"inputs": [], // none\n',
    '/* the first */',
    '"mine": {',
  ])
    assert.ok(text.includes(kept), text);
  assert.match(text, /\n\t\t"inpage-mcp": \{\n\t\t\t"type": "stdio",/);
});

void test('the bridge is removed alone, and the file stays valid', () => {
  const target = { key: 'servers', hasType: true, path: 'mcp.json' };
  const own = '"inpage-mcp": { "command": "x" }';
  for (const [before, after] of [
    [`{"servers": {${own},},}`, '{"servers": {},}'],
    [`{"servers": {"a": {}, ${own}, "b": {}}}`, '{"servers": {"a": {},  "b": {}}}'],
    [
      `{\n  "servers": {\n    "a": {}, // of a\n    ${own}\n  }\n}`,
      '{\n  "servers": {\n    "a": {} // of a\n  }\n}',
    ],
    [
      `{\n  "servers": {\n    // all\n    ${own}, // own\n    "b": {}\n  }\n}`,
      '{\n  "servers": {\n    // all\n     // own\n    "b": {}\n  }\n}',
    ],
    [
      `{\n  "servers": {\n    /* , */\n    ${own},\n    "b": {},\n  }\n}`,
      '{\n  "servers": {\n    /* , */\n    "b": {},\n  }\n}',
    ],
  ]) {
    const text = changedConfiguration(before ?? '', target, undefined);
    assert.equal(text, after);
    changedConfiguration(text, target, { command: 'c', args: [] });
  }
});

void test('a file that is no JSON, or has other things in its place, is left alone', linux, (t) => {
  const { run, write, read } = newHome(t);
  for (const text of ['{ "mcpServers": ', '[]', '{"mcpServers": []}', 'mcpServers: 1']) {
    write(FILES.cursor, text);
    const { status, stderr } = run('--install', 'cursor', '--yes');
    assert.equal(status, 1);
    assert.match(stderr, /Repair it first/);
    assert.equal(read(FILES.cursor), text);
  }
});

void test('a file that has the servers or the bridge twice is left alone', linux, (t) => {
  const { run, write, read } = newHome(t);
  const target = { key: 'mcpServers', hasType: false, path: 'mcp.json' };
  const entry = { command: 'c', args: [] };
  const own = '"inpage-mcp": {"command": "x", "__proto__": {}}';
  const inFirst = `{"mcpServers": {${own}}, "mcp\\u0053ervers": {}}`;
  for (const [text, name] of /** @type {const} */ ([
    [`{"mcpServers": {}, "mcpServers": {${own}}}`, 'mcpServers'],
    [inFirst, 'mcpServers'],
    [`{"mcpServers": {${own}, "other": {}, ${own}}}`, 'inpage-mcp'],
  ]))
    for (const wanted of [entry, undefined])
      assert.throws(
        () => changedConfiguration(text, target, wanted),
        new RegExp(`"${name}" is in mcp\\.json more than once\\. Repair it first`),
      );
  write(FILES.cursor, inFirst);
  const { status, stderr } = run('--install', 'cursor', '--yes');
  assert.equal(status, 1);
  assert.match(stderr, /more than once/);
  assert.equal(read(FILES.cursor), inFirst);
  // What is twice elsewhere, or has the name of a prototype, is not the matter of the bridge.
  const others = '{"other": 1, "__proto__": {"mcpServers": {}}, "other": 2, "mcpServers": {}}';
  const changed = JSON.parse(changedConfiguration(others, target, entry));
  assert.deepEqual(changed.mcpServers, { 'inpage-mcp': entry });
});

void test('the file as it was is kept, with its rights, and a link stays a link', linux, (t) => {
  const { run, write, home } = newHome(t);
  write('dotfiles/claude.json', '{}');
  const path = join(home, '.claude.json');
  symlinkSync(join(home, 'dotfiles/claude.json'), path);
  spawnSync('chmod', ['600', path]);
  const { stderr } = run('--install', 'claude-code', '--yes');
  assert.ok(statSync(path).isFile());
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const files = readdirSync(join(home, 'dotfiles'));
  assert.equal(files.length, 2);
  const backup = files.find((name) => name.endsWith('.bak')) ?? '';
  assert.ok(stderr.includes(backup));
  assert.equal(readFileSync(join(home, 'dotfiles', backup), 'utf8'), '{}');
});

void test('what was installed by npm is started by its path, and not by its name', linux, (t) => {
  const { home, runCopy, read } = newHome(t);
  // As npm does it: the folder of the package is a copy.
  const folder = join(home, '.npm/_npx/1/node_modules/@inpage-mcp/bridge');
  mkdirSync(dirname(folder), { recursive: true });
  const root = resolve(import.meta.dirname, '../../packages/bridge');
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const name of ['protocol', 'transport'])
    symlinkSync(resolve(root, '..', name), join(dirname(folder), name));
  for (const name of ['jsonc-parser', 'ws'])
    symlinkSync(
      resolve(root, '../../node_modules', name),
      join(home, '.npm/_npx/1/node_modules', name),
    );
  const program = join(folder, 'dist/main.js');
  const installed = runCopy(program, '--install', 'claude', '--yes');
  assert.equal(installed.status, 0, installed.stderr);
  assert.match(installed.stderr, /is in a cache, which npm may delete/);
  const { command, args } = JSON.parse(read(FILES.claude)).mcpServers['inpage-mcp'];
  assert.deepEqual([command, args[0]], [process.execPath, program]);
});

void test(
  'what cannot be written is refused with a sentence, and nothing is changed',
  linux,
  (t) => {
    const { home, run, write, read } = newHome(t);
    const install = () => run('--install', 'cursor', '--yes');
    const folder = join(home, '.cursor');
    const path = join(home, FILES.cursor);
    /** @param {RegExp} words */
    const refuses = (words) => {
      const { status, stderr } = install();
      assert.equal(status, 1);
      assert.match(stderr, words);
      assert.doesNotMatch(stderr, /\n +at /);
    };
    mkdirSync(path, { recursive: true });
    refuses(/mcp\.json cannot be read or written\. EISDIR/);
    rmSync(path, { recursive: true });
    symlinkSync(path, path);
    refuses(/is a link to itself|ELOOP/);
    rmSync(folder, { recursive: true });
    write('.cursor', 'a file in the place of the folder');
    refuses(/cannot be read or written\. E/);
    rmSync(folder);
    write(FILES.cursor, '{}');
    chmodSync(path, 0o444);
    refuses(/is read-only/);
    assert.equal(read(FILES.cursor), '{}');
    assert.deepEqual(readdirSync(folder), ['mcp.json']);
  },
);

void test('a byte order mark and a link to nothing are kept', linux, (t) => {
  const { home, run, write, read } = newHome(t);
  write(FILES.cursor, '\uFEFF{"mcpServers": {}}\n');
  assert.equal(run('--install', 'cursor', '--yes').status, 0);
  const text = read(FILES.cursor);
  assert.ok(text.startsWith('\uFEFF{'));
  assert.ok(JSON.parse(text.slice(1)).mcpServers['inpage-mcp']);
  symlinkSync(join(home, 'dotfiles/claude.json'), join(home, FILES['claude-code']));
  const { stderr } = run('--install', 'claude-code', '--yes');
  assert.match(stderr, /Restart Claude Code\. Then open the page, and press "Connect" in it\./);
  assert.ok(lstatSync(join(home, FILES['claude-code'])).isSymbolicLink());
  assert.ok(JSON.parse(read('dotfiles/claude.json')).mcpServers['inpage-mcp']);
});

void test('to remove what is not there changes nothing', linux, (t) => {
  const { run, write, read } = newHome(t);
  for (const text of ['{}', '{"mcpServers": {}}', '{"mcpServers": {"mine": {}}}', '{"other": 1}']) {
    write(FILES.cursor, text);
    const { status, stderr } = run('--uninstall', 'cursor', '--yes');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /needs no change/);
    assert.equal(read(FILES.cursor), text);
  }
});

void test('without --yes nothing is written where nobody can be asked', linux, (t) => {
  const { run, read } = newHome(t);
  const { status, stderr } = run('--install', 'claude');
  assert.equal(status, 1);
  assert.match(stderr, /Add --yes/);
  assert.throws(() => read(FILES.claude));
});

void test('what does not exist is refused with a sentence', (t) => {
  const { run } = newHome(t);
  for (const [args, words] of /** @type {const} */ ([
    [['--install', 'emacs'], /"emacs" is not one of claude, vscode/],
    [['--port', 'x'], /--port must be a number/],
    [['--port', '70000'], /--port must be a number up to 65535/],
    [['--page', 'javascript:alert(1)'], /is not the address of a web page/],
    [['--name', ''], /--name must not be empty/],
    [['--install', 'claude', '--yes', '--name', ' \n\u200B'], /--name must not be empty/],
    [['--page', ''], /"" is not the address of a web page/],
    [['--open', ''], /"" is not the address of a web page/],
    [['--forget', ''], /"" is not the address of a web page/],
    [['--uninstall', ''], /"" is not one of claude, vscode/],
    [['--http-port', ''], /--http-port must be a number/],
    [['--wait', ' '], /--wait must be a number/],
    [['--http', '--pair'], /exclude each other/],
    [['--nothing'], /Unknown option/],
  ])) {
    const { status, stderr } = run(...args);
    assert.equal(status, 1);
    assert.match(stderr, words);
  }
  assert.match(run('--help').stdout, /--install claude\|vscode/);
  assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/);
});

void test('the paths and line ends of other platforms', () => {
  const mac = { platform: /** @type {const} */ ('darwin'), home: '/Users/a', env: {} };
  assert.equal(
    targetOf('claude', mac).path,
    '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
  );
  assert.equal(
    targetOf('vscode', mac).path,
    '/Users/a/Library/Application Support/Code/User/mcp.json',
  );
  const target = { key: 'mcpServers', hasType: false, path: 'x.json' };
  const crlf = changedConfiguration('{\r\n    "a": 1\r\n}\r\n', target, { command: 'c', args: [] });
  assert.ok(!/[^\r]\n/.test(crlf), JSON.stringify(crlf));
  assert.ok(crlf.includes('\r\n    "mcpServers"'), crlf);
});
