import type { Tool } from '../api/tool-types.js';

/** The longest name that all APIs accept: OpenAI has the shortest limit. */
const MAX_LENGTH = 64;

/**
 * The tools by names that all APIs accept: letters, digits, `_` and `-`, and no digit or `-` first. A tool
 * with any other name gets a new one, because one wrong name makes the API refuse the whole request.
 */
export function byModelName(tools: readonly Tool[]): Map<string, Tool> {
  const named = new Map<string, Tool>();
  const isFree = (name: string): boolean => !named.has(name);
  // The tools that keep their names come first, so that no other tool gets these names.
  const [odd, plain] = [tools.filter(isOdd), tools.filter((tool) => !isOdd(tool))];
  for (const tool of plain) if (isFree(tool.name)) named.set(tool.name, tool);
  for (const tool of odd) {
    const name = acceptedName(tool.name);
    let unique = name;
    for (let count = 2; !isFree(unique); count += 1) {
      const suffix = `_${count}`;
      unique = name.slice(0, MAX_LENGTH - suffix.length) + suffix;
    }
    named.set(unique, tool);
  }
  return named;
}

const isOdd = ({ name }: Tool): boolean => acceptedName(name) !== name;

function acceptedName(name: string): string {
  const letters = name.slice(0, MAX_LENGTH).replaceAll(/[^\w-]/g, '_');
  return /^[a-z_]/i.test(letters) ? letters : `_${letters}`.slice(0, MAX_LENGTH);
}
