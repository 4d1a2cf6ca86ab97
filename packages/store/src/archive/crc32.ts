/** The number of bytes that one step processes; each of them has its own table. */
const STEP = 8;

/** Created on first use, not to delay the start by half a millisecond. */
let tables: Tables | undefined;

/**
 * The CRC-32 of bytes, as in zip archives.
 *
 * @param crc The CRC of the bytes before them. Default: no bytes.
 */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = (tables ??= makeTables());
  let value = ~crc;
  let index = 0;
  // Eight bytes at a time: a file of a gigabyte passes through here.
  for (const end = bytes.length - (bytes.length % STEP); index < end; index += STEP) {
    value ^=
      bytes[index]! |
      (bytes[index + 1]! << 8) |
      (bytes[index + 2]! << 16) |
      (bytes[index + 3]! << 24);
    value =
      t7[value & 0xff]! ^
      t6[(value >>> 8) & 0xff]! ^
      t5[(value >>> 16) & 0xff]! ^
      t4[value >>> 24]! ^
      t3[bytes[index + 4]!]! ^
      t2[bytes[index + 5]!]! ^
      t1[bytes[index + 6]!]! ^
      t0[bytes[index + 7]!]!;
  }
  for (; index < bytes.length; index++) {
    value = t0[(value ^ bytes[index]!) & 0xff]! ^ (value >>> 8);
  }
  return ~value >>> 0;
}

type Table = Int32Array;
type Tables = [Table, Table, Table, Table, Table, Table, Table, Table];

/** Table n contains the CRC of each byte followed by n zeros. */
function makeTables(): Tables {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++)
      value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
    return value;
  });
  const all = [first];
  while (all.length < STEP) {
    all.push(all.at(-1)!.map((value) => first[value & 0xff]! ^ (value >>> 8)));
  }
  return all as Tables;
}
