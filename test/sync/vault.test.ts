import { expect } from '@open-wc/testing';
import {
  acceptInvitation,
  INVITATION_TTL_MS,
  invitationName,
  invite,
} from '../../packages/sync/src/keys/invitation.js';
import { checkKeyRing } from '../../packages/sync/src/engine/newest-key.js';
import { newCode, parseCode } from '../../packages/sync/src/keys/code.js';
import {
  MAX_GENERATIONS,
  MAX_ITERATIONS,
  MIN_ITERATIONS,
  readKeyRing,
  VaultError,
  type VaultErrorCode,
  writeKeyRing,
} from '../../packages/sync/src/keys/key-ring.js';
import { seal, SEAL_BYTES } from '../../packages/sync/src/keys/sealing.js';
import { toBase64Url } from '../../packages/sync/src/keys/bytes.js';
import {
  changePassphrase,
  createVault,
  MAX_PASSPHRASE_LENGTH,
  MIN_PASSPHRASE_LENGTH,
  openVault,
  rotate,
} from '../../packages/sync/src/keys/vault.js';
import {
  DATA_KEY_BYTES,
  deriveKeys,
  deriveSealingKey,
  nameOf,
  type VaultKeys,
} from '../../packages/sync/src/keys/vault-keys.js';
import { failureOf } from '../support/failure.js';
import { bytesOfHex } from './sync-under-test.js';

const PASSPHRASE = 'correct horse battery';

/** Written by format 1 after one rotation, with PASSPHRASE. It must open for good. */
const RING = bytesOfHex(
  '01000927c0dbdbc6e3c64220f629c1dd8d8c1403953e6a9d1f8861dab2ef3dee619a2d90994777e6c06d4d41' +
    'bcdde24bee4fe677bfae03cb03c968d2b8a3779e241a57a0842fad1ea2ca9eb4aa9be58e0664fe039dbc06f5' +
    '59811b88cd1b536e89d3541a3dfdc5bcd9b7eceabdb944acaaf1c51f9e0ca42cc3f16deb5641616b80dad68a' +
    '10d3b554a263e1a0dc4ce310d7d0b17ba7d29ed5020586e3f3b2f68ebc612a29b515545aa9646ee57e6a9f2b' +
    'e25e557c97c5829b5f6e9ea2a3129db24323327784b977ee5e1ac2d41ee8e2b16d',
);
const RECOVERY_CODE = 'TZVN8-H8N27-V5MXP-T36VS-CQEKA';
const NAME_OF_RING = 'MBsYFVJS92sukKaMjJ3Ofg';

/** Written by format 1 for RING, at the time after it. */
const INVITATION = bytesOfHex(
  '01266176769afbb3a5787e048e6b679027d76107fd69f571097e20f518902d37f6be1be90e5e919398259cef' +
    '326455189a380be33f4885e380efc1b294576a135df226cdbf180dc68570',
);
const INVITATION_CODE = 'TY18B-24D3V-WD16A-DC0WE-4X8BH';
const INVITED_AT = 1_700_000_000_000;

const RULED_KEY = Uint8Array.from({ length: DATA_KEY_BYTES }, (_, index) => index);

async function codeOf(promise: Promise<unknown>): Promise<VaultErrorCode | undefined> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof VaultError) return error.code;
    throw error;
  }
  return undefined;
}

/** What tells vaults apart. */
async function nameIn(keys: VaultKeys): Promise<string> {
  return await nameOf(keys, 'note', 'a');
}

/** A key ring that opens with PASSPHRASE. */
async function ringOf(iterations: number, generations = 1): Promise<Uint8Array<ArrayBuffer>> {
  const dataKeys = Array.from({ length: generations }, () => new Uint8Array(DATA_KEY_BYTES));
  const salt = new Uint8Array(16);
  const source = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(PASSPHRASE),
    'PBKDF2',
    false,
    ['deriveKey'],
  );
  const key = await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
    source,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  );
  const older = await deriveSealingKey(new Uint8Array(DATA_KEY_BYTES), 'older');
  return await writeKeyRing({
    salt,
    iterations,
    passphrase: await seal(key, dataKeys[0]!, `passphrase ${generations}`),
    recovery: new Uint8Array(DATA_KEY_BYTES + SEAL_BYTES),
    older: await Promise.all(
      dataKeys.slice(1).map((dataKey, index) => seal(older, dataKey, `older ${index + 1}`)),
    ),
  });
}

describe('the vault', () => {
  it('opens with its passphrase and its recovery code, however the code is typed', async () => {
    const { keys, record, recoveryCode } = await createVault(PASSPHRASE);
    const typed = ` ${recoveryCode.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')}`;
    for (const secret of [PASSPHRASE, recoveryCode, typed.replaceAll('1', 'l')]) {
      const opened = await openVault(record, secret);
      expect(await nameIn(opened)).to.equal(await nameIn(keys));
      expect(opened.records).to.have.length(1);
    }
  });

  it('does not open with another passphrase or code', async () => {
    const { record } = await createVault(PASSPHRASE);
    for (const secret of ['correct horse batterx', newCode(), '']) {
      expect(await codeOf(openVault(record, secret))).to.equal('wrong-secret');
    }
  });

  it('takes no recovery code for a passphrase where its key changes', async () => {
    const { keys, record, recoveryCode } = await createVault(PASSPHRASE);
    expect(await codeOf(rotate(keys, record, recoveryCode))).to.equal('wrong-secret');
  });

  it('opens what format 1 has written', async () => {
    for (const secret of [PASSPHRASE, RECOVERY_CODE]) {
      const keys = await openVault(RING, secret);
      expect(await nameIn(keys)).to.equal(NAME_OF_RING);
      expect(keys.records).to.have.length(2);
    }
  });

  it('has keys that cannot be exported, and that IndexedDB can store', async () => {
    const { keys } = await createVault(PASSPHRASE);
    expect([keys.names, ...keys.records].map((key) => key.extractable)).to.deep.equal([
      false,
      false,
    ]);
    expect(await nameIn(structuredClone(keys))).to.equal(await nameIn(keys));
  });

  it('takes passphrases within the limits, and the same characters as the same passphrase', async () => {
    const { record } = await createVault('ａ'.repeat(MIN_PASSPHRASE_LENGTH));
    expect(await codeOf(openVault(record, 'a'.repeat(MIN_PASSPHRASE_LENGTH)))).to.equal(undefined);
    await createVault('😀'.repeat(MAX_PASSPHRASE_LENGTH));
    for (const length of [MIN_PASSPHRASE_LENGTH - 1, MAX_PASSPHRASE_LENGTH + 1]) {
      expect(await codeOf(createVault('😀'.repeat(length)))).to.equal('weak-passphrase');
      const change = changePassphrase(
        record,
        'a'.repeat(MIN_PASSPHRASE_LENGTH),
        'b'.repeat(length),
      );
      expect(await codeOf(change)).to.equal('weak-passphrase');
    }
  });

  it('tells damage from a wrong passphrase, at every byte', async () => {
    for (const at of RING.keys()) {
      const changed = RING.slice();
      changed[at]! ^= 1;
      const code = await codeOf(readKeyRing(changed));
      // The format, which becomes 0.
      expect(code, `byte ${at}`).to.equal('damaged');
    }
    for (const size of [0, 1, 100, RING.length - 1, RING.length - SEAL_BYTES - DATA_KEY_BYTES]) {
      expect(await codeOf(readKeyRing(RING.subarray(0, size)))).to.equal('damaged');
    }
    const newer = RING.slice();
    newer[0] = 2;
    expect(await codeOf(openVault(newer, PASSPHRASE))).to.equal('newer');
  });

  it('hashes a passphrase as often as the server says, within limits', async () => {
    const opened = await codeOf(openVault(await ringOf(MIN_ITERATIONS), PASSPHRASE));
    expect(opened).to.equal(undefined);
    for (const iterations of [MIN_ITERATIONS - 1, MAX_ITERATIONS + 1, 0xffffffff]) {
      const record = await writeKeyRing({ ...(await readKeyRing(RING)), iterations });
      expect(await codeOf(openVault(record, PASSPHRASE))).to.equal('damaged');
    }
    const slowest = { ...(await readKeyRing(RING)), iterations: MAX_ITERATIONS };
    const { iterations } = await readKeyRing(await writeKeyRing(slowest));
    expect(iterations).to.equal(MAX_ITERATIONS);
  });

  it('has so many data keys and not one more', async () => {
    const almost = await ringOf(MIN_ITERATIONS, MAX_GENERATIONS - 1);
    const keys = await openVault(almost, PASSPHRASE);
    const { record: full, keys: last } = await rotate(keys, almost, PASSPHRASE);
    expect(last.records).to.have.length(MAX_GENERATIONS);
    expect(await codeOf(rotate(last, full, PASSPHRASE))).to.equal('exhausted');
    const ring = await readKeyRing(full);
    const more = await writeKeyRing({ ...ring, older: [...ring.older, ring.recovery] });
    expect(await codeOf(readKeyRing(more))).to.equal('damaged');
  });

  it('begins a new key when it rotates, and keeps names and older keys', async () => {
    const first = await createVault(PASSPHRASE);
    const second = await rotate(first.keys, first.record, PASSPHRASE);
    const third = await rotate(second.keys, second.record, PASSPHRASE);
    const opened = await openVault(third.record, third.recoveryCode, first.keys);
    expect(opened.records).to.have.length(3);
    expect(await nameIn(opened)).to.equal(await nameIn(first.keys));
    const code = await codeOf(openVault(third.record, first.recoveryCode));
    expect(code, 'the code before').to.equal('wrong-secret');
    expect(await codeOf(openVault(first.record, PASSPHRASE, third.keys))).to.equal('outdated');
    expect(await codeOf(rotate(third.keys, second.record, PASSPHRASE))).to.equal('outdated');
  });

  it('does not take the keys of a removed device for newer ones', async () => {
    const first = await createVault(PASSPHRASE);
    const second = await rotate(first.keys, first.record, PASSPHRASE);
    const ring = await readKeyRing(second.record);
    const { passphrase, salt, recovery } = await readKeyRing(first.record);
    const forged = await writeKeyRing({ ...ring, passphrase, salt, recovery });
    for (const secret of [PASSPHRASE, first.recoveryCode]) {
      expect(await codeOf(openVault(forged, secret))).to.equal('wrong-secret');
    }
    const shuffled = await writeKeyRing({ ...ring, older: [ring.recovery] });
    expect(await codeOf(openVault(shuffled, PASSPHRASE))).to.equal('damaged');
  });

  it('notices keys that another device has changed, also on its own at the same time', async () => {
    const first = await createVault(PASSPHRASE);
    const [one, other] = await Promise.all(
      [1, 2].map(() => rotate(first.keys, first.record, PASSPHRASE)),
    );
    const device = { keys: one!.keys, ring: one!.record };
    for (const ring of [one!.record, first.record, new Uint8Array(3)])
      await checkKeyRing(ring, device);
    const next = await rotate(one!.keys, one!.record, PASSPHRASE);
    for (const ring of [other!.record, next.record])
      expect(await failureOf(checkKeyRing(ring, device))).to.include({ code: 'unknown-key' });
  });

  it('changes the passphrase, with the old one or the recovery code, which stays', async () => {
    const { keys, record, recoveryCode } = await createVault(PASSPHRASE);
    const changed = await changePassphrase(record, PASSPHRASE, 'another passphrase');
    const again = await changePassphrase(changed, recoveryCode, 'a third passphrase');
    for (const secret of ['a third passphrase', recoveryCode]) {
      expect(await nameIn(await openVault(again, secret))).to.equal(await nameIn(keys));
    }
    expect(await codeOf(openVault(changed, PASSPHRASE))).to.equal('wrong-secret');
    expect(await codeOf(changePassphrase(record, 'wrong', PASSPHRASE))).to.equal('wrong-secret');
  });
});

describe('an invitation', () => {
  it('opens the vault with the code alone, in time', async () => {
    const { code, name, record } = await invite(RING, PASSPHRASE, INVITED_AT);
    expect(name).to.match(/^[\w-]{22}$/);
    expect(await invitationName(code.toLowerCase())).to.equal(name);
    for (const now of [-INVITATION_TTL_MS, 0, INVITATION_TTL_MS]) {
      const keys = await acceptInvitation(code, record, RING, INVITED_AT + now);
      expect(await nameIn(keys)).to.equal(NAME_OF_RING);
      expect(keys.records).to.have.length(2);
    }
    for (const now of [-INVITATION_TTL_MS - 1, INVITATION_TTL_MS + 1, Number.NaN]) {
      const code1 = await codeOf(acceptInvitation(code, record, RING, INVITED_AT + now));
      expect(code1).to.equal('expired');
    }
  });

  it('that format 1 has written opens for good', async () => {
    const keys = await acceptInvitation(INVITATION_CODE, INVITATION, RING, INVITED_AT);
    expect(await nameIn(keys)).to.equal(NAME_OF_RING);
    expect(await invitationName(INVITATION_CODE)).to.equal('ARzdv0CaNawACE2CwomsVg');
  });

  it('needs the passphrase, the code, and every byte', async () => {
    expect(await codeOf(invite(RING, 'wrong'))).to.equal('wrong-secret');
    const accept = async (code: string, record = INVITATION) =>
      await codeOf(acceptInvitation(code, record, RING, INVITED_AT));
    expect(await accept('not a code')).to.equal('wrong-secret');
    expect(await accept(newCode())).to.equal('damaged');
    for (const at of [0, 1, 20, INVITATION.length - 1]) {
      const changed = INVITATION.slice();
      changed[at]! ^= 1;
      expect(await accept(INVITATION_CODE, changed)).to.equal('damaged');
      expect(await accept(INVITATION_CODE, INVITATION.slice(0, at))).to.equal('damaged');
    }
    expect(await accept(INVITATION_CODE, Uint8Array.of(2))).to.equal('newer');
    const { record } = await createVault(PASSPHRASE);
    const rotated = await rotate(await openVault(record, PASSPHRASE), record, PASSPHRASE);
    const other = acceptInvitation(INVITATION_CODE, INVITATION, rotated.record, INVITED_AT);
    expect(await codeOf(other), 'with another key ring').to.equal('damaged');
  });
});

describe('a code', () => {
  it('has 120 random bits in 24 digits, and a digit that checks them', () => {
    const codes = Array.from({ length: 200 }, newCode);
    for (const code of codes) {
      expect(code).to.match(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
      expect(parseCode(code)).to.have.length(24);
    }
    for (let at = 0; at < 24; at += 1) {
      expect(new Set(codes.map((code) => parseCode(code)![at])).size).to.be.greaterThan(25);
    }
  });

  it('is not taken with a wrong digit, or with two that have changed places', () => {
    const code = '12345-6789A-BCDEF-GHJKM-NPQR';
    const whole = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'].map((digit) => code + digit);
    const [valid = ''] = whole.filter((text) => parseCode(text));
    expect(whole.filter((text) => parseCode(text))).to.have.length(1);
    const letters = [...valid.replaceAll('-', '')];
    for (const [at, letter] of letters.entries()) {
      for (const digit of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        const wrong = letters.with(at, digit).join('');
        expect(parseCode(wrong) !== undefined, wrong).to.equal(digit === letter);
      }
      const next = letters[at + 1] ?? letter;
      const swapped = letters.with(at, next).toSpliced(at + 1, 1, letter);
      expect(parseCode(swapped.join('')) !== undefined).to.equal(next === letter && at < 24);
    }
    for (const text of ['', letters.slice(1).join(''), `${valid}0`, valid.replace('2', 'U')]) {
      expect(parseCode(text)).to.equal(undefined);
    }
  });
});

describe('a name', () => {
  it('is the HMAC of kind and key', async () => {
    // Computed with another implementation of HKDF and HMAC (node:crypto).
    const names = {
      note: 'wOjHv3A12UFDrNl5lNqYzQ',
      file: '7blG4xJ-GeUd6EnQ11o3_g',
      piece: 'PNC8awTtdvbJqyu5sPeLwA',
      device: 'rfm7KmVRNmMwJtlzEldl7Q',
    };
    const keys = await deriveKeys([RULED_KEY]);
    for (const [kind, name] of Object.entries(names)) {
      expect(await nameOf(keys, kind as keyof typeof names, 'a')).to.equal(name);
    }
  });

  it('is base64url without padding (the test vectors of RFC 4648)', () => {
    const vectors = { f: 'Zg', fo: 'Zm8', foo: 'Zm9v', foob: 'Zm9vYg', foobar: 'Zm9vYmFy' };
    for (const [text, encoded] of Object.entries(vectors)) {
      expect(toBase64Url(new TextEncoder().encode(text))).to.equal(encoded);
    }
    expect(toBase64Url(Uint8Array.of(0xfb, 0xff))).to.equal('-_8');
  });
});
