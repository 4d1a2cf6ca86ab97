/**
 * Matches names that are neither listed, nor read, nor written: hidden ones (`.env`, `.git`, `.ssh`),
 * installed or half-written files, and keys.
 */
const HIDDEN = [
  /^\./,
  /^node_modules$/,
  /\.crswap$|~$|^#.*#$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)|^credentials|\.(?:pem|key|p12|pfx|ppk|kdbx|jks|keystore)$/,
  // The short name under which Windows also finds a file: `GIT~1` is `.git`.
  /~\d+(?:\.[^.]{0,3})?$/,
  // The empty name, which stands for a name that is not valid Unicode.
  /^$/,
];

/** Characters that some disks ignore in names. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether a name is always excluded, in any of its forms. */
export function isHidden(name: string): boolean {
  const plain = plainName(name);
  return HIDDEN.some((pattern) => pattern.test(plain));
}

/**
 * The form in which names are compared: disks that ignore case, or the form of accents, find a file under
 * several names.
 */
export function plainName(name: string): string {
  // Capitals come first: on disks that ignore case, `ſ` is an `s`, which lower case alone does not show.
  return name.normalize('NFC').replace(IGNORABLE, '').toUpperCase().toLowerCase();
}
