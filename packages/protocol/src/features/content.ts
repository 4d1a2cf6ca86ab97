import { isObject } from '../wire/is-object.js';

/** The members that each kind of content must have, all of them texts. */
const MEMBERS: { [type: string]: readonly string[] } = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

/** What the protocol does not allow in the content that a handler has given, if anything. */
export function contentProblem(content: unknown): string | undefined {
  if (!Array.isArray(content)) return 'content: expected array';
  for (const [index, block] of content.entries()) {
    const problem = blockProblem(block);
    if (problem !== undefined) return `content.${index}: ${problem}`;
  }
  return undefined;
}

/** What is wrong with one piece of content, if anything. */
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
