import { type Bytes, concatBytes, encodeUtf8 } from './bytes.js';
import { newCode, parseCode } from './code.js';
import { damaged, newer, readKeyRing, VaultError } from './key-ring.js';
import { seal, unseal } from './sealing.js';
import {
  DATA_KEY_BYTES,
  deriveKeys,
  deriveName,
  deriveSealingKey,
  type VaultKeys,
} from './vault-keys.js';
import { openOlder, openRing } from './vault.js';

/** The time that an invitation is valid, by the clock of the invited device, in milliseconds. */
export const INVITATION_TTL_MS = 10 * 60 * 1_000;

const FORMAT = 1;
const CONTEXT = 'invitation';

/** The parts of an invitation, which a device offers to another device of the same user. */
export interface Invitation {
  /** The code, to be typed on the other device. It opens the vault, so the server must never get it. */
  code: string;
  /** The name of the record, derived from the code. */
  name: string;
  /** The record, to be deleted when the other device has it. */
  record: Bytes;
}

/**
 * Invites another device, which then needs only the code. Requires the passphrase, so that another person
 * who finds this device unlocked cannot invite one.
 *
 * @param keyRing The record with the key ring.
 * @throws {VaultError} as `openVault` does.
 */
export async function invite(
  keyRing: Uint8Array,
  passphrase: string,
  now: number = Date.now(),
): Promise<Invitation> {
  const { dataKeys } = await openRing(keyRing, passphrase);
  const code = newCode();
  const { name, key } = await secretsOf(code);
  const content = concatBytes(dataKeys.at(-1)!, encodeUtf8(String(now)));
  const sealed = await seal(key, content, CONTEXT);
  return { code, name, record: concatBytes(Uint8Array.of(FORMAT), sealed) };
}

/**
 * The name of the record of an invitation.
 *
 * @throws {VaultError} `wrong-secret` if the text is not a code.
 */
export async function invitationName(code: string): Promise<string> {
  return (await secretsOf(code)).name;
}

/**
 * Opens the vault with an invitation.
 *
 * @param record The record of the invitation.
 * @param keyRing The record with the key ring, as it was when the invitation was created.
 * @throws {VaultError} `wrong-secret`, `damaged`, `newer` or `expired`.
 */
export async function acceptInvitation(
  code: string,
  record: Bytes,
  keyRing: Uint8Array,
  now: number = Date.now(),
): Promise<VaultKeys> {
  const { key } = await secretsOf(code);
  const [format = 0] = record;
  if (format > FORMAT) throw newer();
  const content = await unseal(key, record.subarray(1), CONTEXT);
  // The name is derived from the code, so a record that does not open under it has been changed.
  if (!content || format !== FORMAT) throw damaged();
  const age = now - Number(new TextDecoder().decode(content.subarray(DATA_KEY_BYTES)));
  // In this form, the comparison also rejects NaN.
  if (!(Math.abs(age) <= INVITATION_TTL_MS)) {
    throw new VaultError('expired', 'The invitation has expired, or a clock is wrong.');
  }
  const { older } = await readKeyRing(keyRing);
  return await deriveKeys(await openOlder(content.slice(0, DATA_KEY_BYTES), older));
}

async function secretsOf(code: string): Promise<{ name: string; key: CryptoKey }> {
  const digits = parseCode(code);
  if (!digits) throw new VaultError('wrong-secret', 'This is not a code: a character is wrong.');
  const name = await deriveName(digits, 'invitation name');
  return { name, key: await deriveSealingKey(digits, 'invitation key') };
}
