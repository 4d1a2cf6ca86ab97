import type { OwnToolDefinition } from '../tools/define-tool.js';
import { DISK_URI } from '../resources/disk/disk-types.js';

const INPUT = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 1_000,
      description:
        'Words that are all in the path, whatever the case; of the names, not the contents.',
    },
    folder: {
      type: 'string',
      maxLength: 2_048,
      pattern: `^${DISK_URI}.*/$`,
      description: `The uri of the folder to search in, like ${DISK_URI}project/. Default: all.`,
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'The most matches, 1 to 100. Default: 20.',
    },
  },
  required: ['query'],
  additionalProperties: false,
} as const;

const OUTPUT = {
  type: 'object',
  properties: {
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, uri: { type: 'string' } },
        required: ['path', 'uri'],
        additionalProperties: false,
      },
    },
    isComplete: {
      type: 'boolean',
      description:
        'Whether there are no others: a search ends at the limit, or after ten seconds, and does not ' +
        'look into folders with more than 10,000 entries.',
    },
  },
  required: ['matches', 'isComplete'],
  additionalProperties: false,
} as const;

/** The tool `search_folder`. */
export const searchTool: OwnToolDefinition<typeof INPUT, typeof OUTPUT> = {
  name: 'search_folder',
  title: 'Search for names in folders of the disk',
  description:
    'Finds files and folders by their names in the folders of the disk that the user has opened. ' +
    'Read one with its uri.',
  input: INPUT,
  output: OUTPUT,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  isHeavy: () => true,
  run: async (input, call) => {
    const { disk, permitted } = call.context;
    return { structuredContent: await disk.forTools.search(input, call, permitted) };
  },
  isUsableIn: (_scope, permitted) => permitted.mayPermit(DISK_URI),
};
