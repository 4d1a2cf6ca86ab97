import { type Bytes, randomBytes } from './bytes.js';

/** The digits of Crockford's base32: without I, L, O and U. */
export const CROCKFORD_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The number of digits of a code before its check digit: 120 random bits. */
const CODE_DIGITS = 24;
/** The number of digits of a group. With the check digit, a code has five groups. */
const GROUP_DIGITS = 5;

/**
 * A new code that people write down and type: five groups of five digits, of which the last digit checks the
 * others.
 */
export function newCode(): string {
  const digits = Array.from(randomBytes(CODE_DIGITS), (byte) => byte & 31);
  const all = [...digits, checkSum([...digits, 0])];
  const text = all.map((digit) => CROCKFORD_DIGITS[digit]).join('');
  return text.match(new RegExp(`.{${GROUP_DIGITS}}`, 'g'))!.join('-');
}

/**
 * The digits of a code as it was typed: in any case, with any spaces and hyphens, O for 0, I or L for 1.
 *
 * @returns One byte for each digit, without the check digit; `undefined` if the text is not a code.
 */
export function parseCode(text: string): Bytes | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');
  if (letters.length !== CODE_DIGITS + 1) return undefined;
  const typed = letters.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const digits = Array.from(typed, (letter) => CROCKFORD_DIGITS.indexOf(letter));
  if (digits.includes(-1) || checkSum(digits) !== 0) return undefined;
  return Uint8Array.from(digits.slice(0, -1));
}

/**
 * The value of a polynomial over the field of 32 elements, as in Bech32, for one check digit. It always
 * detects a wrong digit, and two digits that have changed places.
 */
function checkSum(digits: readonly number[]): number {
  return digits.reduce((sum, digit) => (sum << 1) ^ (sum & 16 ? 0b100101 : 0) ^ digit, 0);
}
