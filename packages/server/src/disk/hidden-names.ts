/**
 * Names that are neither listed, nor read, nor written: hidden ones (`.env`, `.git`, `.ssh`), what is
 * installed or half written, and keys.
 */
const HIDDEN = [
  /^\./,
  /^node_modules$/,
  /\.crswap$|~$|^#.*#$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)|^credentials|\.(?:pem|key|p12|pfx|ppk|kdbx|jks|keystore)$/,
  // The short name by which Windows knows a file, too: `GIT~1` is `.git`.
  /~\d+(?:\.[^.]{0,3})?$/,
  // The empty name of a file whose own is no Unicode.
  /^$/,
];

/** Characters that some disks ignore in names. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Whether a name is always left out. Disks that know no case, or another form of accents, find a file
 * under several names, so that these are compared in one.
 */
export function isHidden(name: string): boolean {
  // In capitals first: where case does not count, `ſ` is an `s`, but not if one only writes it small.
  const plain = name.normalize('NFC').replace(IGNORABLE, '').toUpperCase().toLowerCase();
  return HIDDEN.some((pattern) => pattern.test(plain));
}
