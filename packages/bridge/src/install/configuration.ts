import {
  applyEdits,
  modify,
  parseTree,
  findNodeAtLocation,
  getNodeValue,
  type Edit,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { ConfigurationError } from './configuration-error.js';
import type { Target } from './targets.js';

/** The name of the bridge in a configuration. */
export const SERVER_NAME = 'inpage-mcp';

/** The command with which a program starts the bridge. */
export interface ServerEntry {
  command: string;
  args: string[];
}

/**
 * The text of a configuration with the bridge, or without it. All other members and comments stay.
 *
 * @param text Empty if the file does not exist.
 * @param entry `undefined` removes the bridge.
 * @throws {ConfigurationError} if the text is not a JSON object, its servers are not in an object, or these or the
 *   bridge are in it more than once.
 */
export function changedConfiguration(
  text: string,
  { key, hasType, path }: Pick<Target, 'key' | 'hasType' | 'path'>,
  entry: ServerEntry | undefined,
): string {
  requireOnce(parseTree(text), [key, SERVER_NAME], path);
  if (!entry && presentEntry(text, key) === undefined) return text;
  const source = text.trim() ? text : '{}\n';
  requireObject(source, key, path);
  if (!entry) return applyEdits(source, removal(source, key));
  const value = { ...(hasType && { type: 'stdio' }), ...entry };
  const edits = modify(source, [key, SERVER_NAME], value, { formattingOptions: styleOf(source) });
  return applyEdits(source, edits);
}

/** A comma, with the white space and the comments before it. */
const COMMA = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*,/;

/**
 * The edits that remove the bridge. Those of `modify` would remove the comments before it, too, and leave a
 * comma alone.
 */
function removal(source: string, key: string): Edit[] {
  const { parent: member } = findNodeAtLocation(parseTree(source)!, [key, SERVER_NAME])!;
  const { offset, length, parent: servers } = member!;
  const before = servers!.children![servers!.children!.indexOf(member!) - 1];
  const end = offset + length;
  const commaAfter = commaIn(source, end);
  const comma = commaAfter ?? (before && commaIn(source, before.offset + before.length));
  // If nothing else is in its lines, these go, too.
  const [indent = ''] = /\r?\n[ \t]*$/.exec(source.slice(0, offset)) ?? [];
  const isAlone = /^[ \t]*\r?\n/.test(source.slice((commaAfter ?? end - 1) + 1));
  const start = isAlone ? offset - indent.length : offset;
  return [
    { offset: start, length: end - start, content: '' },
    ...(comma === undefined ? [] : [{ offset: comma, length: 1, content: '' }]),
  ];
}

/** The index of the comma that comes next after an index, if one does. */
function commaIn(source: string, from: number): number | undefined {
  const [found] = COMMA.exec(source.slice(from)) ?? [];
  return found === undefined ? undefined : from + found.length - 1;
}

/** The present entry of the bridge in the configuration; `undefined` if it has none. */
export function presentEntry(text: string, key: string): unknown {
  const tree = text.trim() ? parseTree(text) : undefined;
  const node = tree && findNodeAtLocation(tree, [key, SERVER_NAME]);
  return node && getNodeValue(node);
}

/**
 * Requires that each name occurs at most once, because programs read the last member with a name, but
 * `modify` changes the first.
 */
function requireOnce(object: Node | undefined, names: readonly string[], path: string): void {
  const [name, ...inner] = names;
  if (name === undefined || object?.type !== 'object') return;
  const members = object.children?.filter(({ children }) => children?.[0]?.value === name) ?? [];
  if (members.length > 1)
    throw new ConfigurationError(`"${name}" is in ${path} more than once. Repair it first.`);
  requireOnce(members[0]?.children?.[1], inner, path);
}

function requireObject(text: string, key: string, path: string): void {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const servers = tree && findNodeAtLocation(tree, [key]);
  if (errors.length > 0 || tree?.type !== 'object')
    throw new ConfigurationError(`${path} is not valid JSON. Repair it first.`);
  if (servers && servers.type !== 'object')
    throw new ConfigurationError(`"${key}" in ${path} is not an object. Repair it first.`);
}

function styleOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const [, indent = '  '] = /^[{[]\s*?\r?\n([ \t]+)\S/m.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
}
