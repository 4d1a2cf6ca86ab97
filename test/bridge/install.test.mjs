// `--install` and `--uninstall`: the configurations of programs, with everything else that is in them.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
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
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { targetOf } from '../../packages/bridge/dist/install/targets.js';
import {
  changedConfiguration,
  serverEntry,
} from '../../packages/bridge/dist/install/configuration.js';
import { freePort, PROGRAM } from './processes.mjs';

const FILES = {
  claude: '.config/Claude/claude_desktop_config.json',
  vscode: '.config/Code/User/mcp.json',
  cursor: '.cursor/mcp.json',
  'claude-code': '.claude.json',
};

/** A home folder of a test. @param {{ after: (end: () => unknown) => void }} t */
function newHome(t) {
  const home = mkdtempSync(join(tmpdir(), 'inpage-mcp-home-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: home };
  return {
    home,
    /** @param {string[]} args */
    run: (...args) => spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8' }),
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

void test('the paths and commands of other platforms', () => {
  const mac = { platform: /** @type {const} */ ('darwin'), home: '/Users/a', env: {} };
  assert.equal(
    targetOf('claude', mac).path,
    '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
  );
  assert.equal(
    targetOf('vscode', mac).path,
    '/Users/a/Library/Application Support/Code/User/mcp.json',
  );
  const script = '/home/a/.npm/_npx/1/node_modules/@inpage-mcp/bridge/dist/main.js';
  assert.deepEqual(serverEntry(['--http'], { platform: 'darwin', node: '/bin/node', script }), {
    command: 'npx',
    args: ['-y', '@inpage-mcp/bridge', '--http'],
  });
  const path = script.replaceAll('/', '\\');
  assert.deepEqual(serverEntry(['--http'], { platform: 'win32', node: 'node.exe', script: path }), {
    command: 'cmd',
    args: ['/c', 'npx', '-y', '@inpage-mcp/bridge', '--http'],
  });
  const target = { key: 'mcpServers', hasType: false, path: 'x.json' };
  const crlf = changedConfiguration('{\r\n    "a": 1\r\n}\r\n', target, { command: 'c', args: [] });
  assert.ok(!/[^\r]\n/.test(crlf), JSON.stringify(crlf));
  assert.ok(crlf.includes('\r\n    "mcpServers"'), crlf);
});
