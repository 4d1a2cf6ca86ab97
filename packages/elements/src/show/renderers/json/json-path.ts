import type { JsonIndex } from './json-index.js';
import { nameOf } from './json-tree.js';

/** The address of a node as a JSON Pointer (RFC 6901), such as `/users/0/name`; '' for the root. */
export function pointerOf(index: JsonIndex, node: number): string {
  const names: string[] = [];
  for (let at = node; index.parentOf(at) >= 0; at = index.parentOf(at))
    names.push(`/${escapeName(nameOf(index, at))}`);
  return names.toReversed().join('');
}

function escapeName(name: string | number): string {
  const key = typeof name === 'number' ? String(name) : unquote(name);
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The characters that a JSON string stands for; the string as it is written if it is not one. */
export function unquote(source: string): string {
  try {
    return String(JSON.parse(source));
  } catch {
    return source;
  }
}
