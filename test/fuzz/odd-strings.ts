import type { Random } from './random.js';

/** Names that mean something to a careless reader of objects. */
export const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype'] as const;

const ODD_STRINGS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  'a\ud83d',
  '\u202eevil\u202c',
  '\u200f\u061c',
  '\ufeff',
  '\u2028\u2029',
  'e\u0301\u0327',
  '👩‍👩‍👧‍👦',
  '\r\n',
  '${7*7}{{7*7}}',
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  'null',
  'NaN',
  '0',
  '-1',
  '2.0',
  'toString',
  'hasOwnProperty',
  'toJSON',
  'then',
  ...PROTOTYPE_KEYS,
];

const ODD_URIS: readonly string[] = [
  'note:///',
  'note:///%00',
  'note:///__proto__',
  'note:///search?q=%',
  'note:///search?q=a&q=b',
  'NOTE:///x',
  'note:x',
  'file:///',
  'file:///../../etc/passwd',
  'file:///%2e%2e/%2e%2e',
  'file:///a//b',
  'file:///%',
  'file:///%ff%fe',
  'file:///\ud800',
  'file:///{+path}',
  'file://host/a',
  'inpage:///activity#a',
  'inpage:///constructor',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://[::1',
  ':',
];

export function oddString(random: Random): string {
  const text = random.pick(ODD_STRINGS);
  return random.chance(0.8) ? text : text.repeat(1 + random.below(500));
}

export function oddUri(random: Random): string {
  if (random.chance(0.8)) return random.pick(ODD_URIS);
  // Up to what a uri may be, at it, and past it.
  const length = random.pick([100, 2_047, 2_048, 2_049, 10_000]);
  const start = random.pick(['file:///', 'note:///', '']);
  return start + random.pick(['%', 'a', '/', '{', '\ud800']).repeat(length - start.length);
}
