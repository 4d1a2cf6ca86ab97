// The numbers of the wire, which both halves have to compute alike, and the file with the keys.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createECDH } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeBytes, encodeBytes } from '../../packages/bridge/dist/proof/bytes.js';
import { pageProof } from '../../packages/bridge/dist/proof/page-proof.js';
import {
  commitmentOf,
  completePairing,
  createOffer,
} from '../../packages/bridge/dist/proof/pairing.js';
import { StateFile } from '../../packages/bridge/dist/state/state-file.js';
import { stateFolder } from '../../packages/bridge/dist/state/state-folder.js';

const vectors = JSON.parse(readFileSync(new URL('pairing-vectors.json', import.meta.url), 'utf8'));

const bytes = (/** @type {string} */ text) => Buffer.from(text, 'base64url');

void test('a pairing has the code, the key and the proofs of the vectors', () => {
  const { privateB, pubB, pubP, nB, nP, origin, port } = vectors;
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(bytes(privateB));
  const offer = { ecdh, publicKey: bytes(pubB), nonce: bytes(nB) };
  const reply = { publicKey: bytes(pubP), nonce: bytes(nP) };
  const { key, id, code, agreement } = completePairing(offer, reply, { origin, port });
  const facts = { id, origin, port, pageNonce: bytes(nP), bridgeNonce: bytes(nB) };
  assert.deepEqual(
    {
      commitment: encodeBytes(commitmentOf(offer)),
      code: code.replace(' ', ''),
      K: encodeBytes(key),
      id,
      agreePage: encodeBytes(agreement('page')),
      agreeBridge: encodeBytes(agreement('bridge')),
      proofBridge: encodeBytes(pageProof(key, 'bridge', facts)),
      proofPage: encodeBytes(pageProof(key, 'page', facts)),
    },
    {
      commitment: vectors.commitment,
      code: vectors.code,
      K: vectors.K,
      id: vectors.id,
      agreePage: vectors.agreePage,
      agreeBridge: vectors.agreeBridge,
      proofBridge: vectors.proofBridge,
      proofPage: vectors.proofPage,
    },
  );
});

void test('another origin, port, id or nonce gives another proof', () => {
  const key = Buffer.alloc(32, 1);
  const nonce = Buffer.alloc(32, 2);
  const facts = { id: 'a', origin: 'b', port: 1, pageNonce: nonce, bridgeNonce: nonce };
  const others = [
    { id: 'ab', origin: '' },
    { origin: 'c' },
    { port: 2 },
    { pageNonce: Buffer.alloc(32, 3) },
    { bridgeNonce: Buffer.alloc(32, 3) },
  ];
  const proofs = [{}, ...others].map((other) =>
    encodeBytes(pageProof(key, 'page', { ...facts, ...other })),
  );
  proofs.push(encodeBytes(pageProof(key, 'bridge', facts)));
  assert.equal(new Set(proofs).size, proofs.length);
});

void test('a pairing at another port or origin has another code, key and agreement', () => {
  const offer = createOffer();
  const reply = { publicKey: bytes(vectors.pubP), nonce: bytes(vectors.nP) };
  const outcomes = [
    { origin: 'https://a', port: 1 },
    { origin: 'https://a', port: 2 },
    { origin: 'https://b', port: 1 },
  ].map((place) => completePairing(offer, reply, place));
  assert.equal(new Set(outcomes.map(({ code }) => code)).size, 3);
  assert.equal(new Set(outcomes.map(({ key }) => encodeBytes(key))).size, 3);
  assert.equal(new Set(outcomes.map(({ agreement }) => encodeBytes(agreement('page')))).size, 3);
});

void test('binary data is base64url of the right length, or nothing', () => {
  const text = encodeBytes(Buffer.alloc(32, 255));
  assert.deepEqual(decodeBytes(text, 32), Buffer.alloc(32, 255));
  for (const wrong of [
    undefined,
    7,
    '',
    `${text}=`,
    text.replace('_', '/'),
    `${text}AA`,
    ` ${text}`,
  ])
    assert.equal(decodeBytes(wrong, 32), undefined, String(wrong));
});

void test('the state file keeps its secret and its pairings, of which two writers lose none', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-state-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const one = new StateFile(folder);
  const { secret } = one;
  const other = new StateFile(folder);
  assert.deepEqual(other.secret, secret);
  const pairing = { id: 'a', origin: 'https://a', key: Buffer.alloc(32), pairedAt: 'now' };
  one.add(pairing);
  other.add({ ...pairing, id: 'b' });
  assert.deepEqual(
    one.pairings.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.equal(one.find('a', 'https://b'), undefined);
  assert.equal(
    other.remove(({ id }) => id === 'a'),
    1,
  );
  assert.deepEqual(
    one.pairings.map(({ id }) => id),
    ['b'],
  );
  assert.deepEqual(readdirSync(folder), ['bridge.json']);
});

void test('of processes that change the state file at the same time none loses a pairing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-state-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const state = new StateFile(folder);
  const module = import.meta.resolve('../../packages/bridge/dist/state/state-file.js');
  const program = `
    const { StateFile } = await import(${JSON.stringify(module)});
    const state = new StateFile(${JSON.stringify(folder)});
    const key = Buffer.alloc(32);
    for (let n = 0; n < 15; n += 1)
      state.add({ id: process.argv[1] + n, origin: 'https://a', key, pairedAt: 'now' });`;
  const children = ['a', 'b', 'c', 'd'].map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', program, name], { stdio: 'inherit' }),
  );
  const exits = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.deepEqual(
    exits,
    [1, 2, 3, 4].map(() => [0, null]),
  );
  assert.equal(new Set(state.pairings.map(({ id }) => id)).size, 60);
});

void test('a lock that a killed process has left behind is taken over', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-state-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const state = new StateFile(folder);
  writeFileSync(`${state.path}.lock`, '');
  state.add({ id: 'a', origin: 'https://a', key: Buffer.alloc(32), pairedAt: 'now' });
  assert.equal(state.pairings.length, 1);
  assert.deepEqual(readdirSync(folder), ['bridge.json']);
});

void test('the folder of the state is the usual one of the platform', () => {
  assert.equal(stateFolder({}, 'linux', '/home/a'), '/home/a/.local/state/inpage-mcp');
  assert.equal(
    stateFolder({ XDG_STATE_HOME: '' }, 'linux', '/home/a'),
    '/home/a/.local/state/inpage-mcp',
  );
  assert.equal(stateFolder({ XDG_STATE_HOME: '/x' }, 'linux', '/home/a'), '/x/inpage-mcp');
  assert.equal(
    stateFolder({}, 'darwin', '/Users/a'),
    '/Users/a/Library/Application Support/inpage-mcp',
  );
  assert.equal(stateFolder({ INPAGE_MCP_STATE: '/own' }, 'win32', 'C:'), '/own');
});
