import { isObject } from '../wire/is-object.js';

/** The required members of each kind of content; all are strings. */
const MEMBERS: { [type: string]: readonly string[] } = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

/** Checks the content that a handler returned. Returns the first problem, if any. */
export function contentProblem(content: unknown): string | undefined {
  if (!Array.isArray(content)) return 'content: expected array';
  for (const [index, block] of content.entries()) {
    const problem = blockProblem(block);
    if (problem !== undefined) return `content.${index}: ${problem}`;
  }
  return undefined;
}

/** Checks one content block. Returns its problem, if any. */
export function blockProblem(block: unknown): string | undefined {
  if (!isObject(block)) return 'expected object';
  const { type } = block;
  if (type === 'resource') return resourceProblem(block['resource']);
  const members = typeof type === 'string' && Object.hasOwn(MEMBERS, type) && MEMBERS[type];
  if (!members) return 'there is no content of this type';
  const missing = members.find((member) => typeof block[member] !== 'string');
  return missing && `${missing}: expected string`;
}

function resourceProblem(contents: unknown): string | undefined {
  if (!isObject(contents)) return 'resource: expected object';
  if (typeof contents['uri'] !== 'string') return 'resource.uri: expected string';
  const isWhole = typeof contents['text'] === 'string' || typeof contents['blob'] === 'string';
  return isWhole ? undefined : 'resource: expected text or blob';
}
