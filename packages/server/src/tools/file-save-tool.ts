import { type Call, type Tool, ToolError } from '@inpage-mcp/protocol';
import { base64Size, decodeBase64, isBase64 } from '../resources/contents/base64.js';
import type { Connection } from '../access/connection-context.js';
import { MAX_INLINE_BYTES } from '../resources/contents/content.js';
import {
  fileAnswer,
  fileFactsOf,
  fileLinkTo,
  exists,
  hasFiles,
  pathOf,
  quotePath,
} from './file-tool-helpers.js';
import { ICONS } from '../resources/icons.js';
import * as fields from './tool-schemas.js';
import { REPLACES, defineOwnTool } from './define-tool.js';

const MAX_BASE64_LENGTH = Math.ceil(MAX_INLINE_BYTES / 3) * 4;

const LIMIT = `${MAX_INLINE_BYTES / 1024 ** 2} MB`;

const TOO_LARGE = `The content has more than ${LIMIT}; save a smaller file.`;

/** The tool `save_file`. */
export const saveFile: Tool<Connection> = defineOwnTool({
  name: 'save_file',
  title: 'Save a file',
  description:
    "Writes a whole file among the user's own, replacing one of the same path. Give its content as " +
    'text, or as base64 if it is not text. Folders need not be created: they are the parts of a ' +
    `path before a slash. ${fields.ONE_MESSAGE} The user has to upload larger files.`,
  icons: ICONS.save,
  input: fields.argumentsOf(
    {
      path: fields.filePath,
      text: {
        type: 'string',
        maxLength: MAX_INLINE_BYTES,
        description: `The content as text; up to ${LIMIT}.`,
        errorMessage: { maxLength: TOO_LARGE },
      },
      base64: {
        type: 'string',
        maxLength: MAX_BASE64_LENGTH,
        contentEncoding: 'base64',
        description: `The content in base64, with padding and without line breaks; up to ${LIMIT} decoded.`,
        errorMessage: { maxLength: TOO_LARGE },
      },
      mediaType: fields.mediaType,
      expectedRevision: fields.expectedRevisionOrNone,
      expectedLastModified: fields.expectedLastModified,
      audience: fields.audienceChange,
      priority: fields.priorityChange,
      idempotencyKey: fields.idempotencyKey,
    },
    ['path'],
  ),
  output: fileAnswer,
  annotations: REPLACES,
  async question(input, { context }) {
    const path = pathOf(input.path);
    const isOver = await exists(context.store.files, path);
    return isOver
      ? `Save over the file ${quotePath(path)}?`
      : `Save a new file ${quotePath(path)}?`;
  },
  async run(input, call) {
    checkContent(input);
    const { path: pathOrUri, text, base64, expectedLastModified: _onDisk, ...options } = input;
    const path = pathOf(pathOrUri);
    const content = await contentOf(text, base64, call);
    const write = { ...options, signal: call.signal };
    const file = await call.context.store.files.write(path, content, write);
    call.progress(content.size, content.size);
    return { structuredContent: fileFactsOf(file), links: [fileLinkTo(file)] };
  },
  async onDisk(input, call) {
    checkContent(input);
    const { path, text, base64, expectedLastModified } = input;
    // The write reports seconds: after these bytes, they would seem to go back.
    const silent = { signal: call.signal, progress: () => undefined };
    return { path, content: await contentOf(text, base64, silent), expectedLastModified };
  },
  isUsableIn: hasFiles,
});

/**
 * Requires one content.
 *
 * @throws {ToolError} unless there is exactly one content, in a valid encoding.
 */
function checkContent({ text, base64 }: { text?: string; base64?: string }): void {
  if ((text === undefined) === (base64 === undefined)) {
    throw new ToolError('Give the content either as text or as base64, and not both.');
  }
  if (text !== undefined && !text.isWellFormed()) {
    throw new ToolError('text: Holds half a surrogate pair, which is not valid Unicode.');
  }
  if (base64 !== undefined && !isBase64(base64)) {
    const what = 'RFC 4648 section 4: with padding, without line breaks';
    throw new ToolError(`base64: Is not base64 (${what}).`);
  }
}

/**
 * The content of the arguments.
 *
 * @throws {ToolError} above {@link MAX_INLINE_BYTES}.
 */
async function contentOf(
  text: string | undefined,
  base64: string | undefined,
  call: Pick<Call, 'progress' | 'signal'>,
): Promise<Blob> {
  if (base64 === undefined) return checkSize(new Blob([text ?? '']));
  const total = base64Size(base64);
  const onPiece = (done: number): void => call.progress(done, total);
  return checkSize(await decodeBase64(base64, call.signal, onPiece));
}

function checkSize(content: Blob): Blob {
  if (content.size > MAX_INLINE_BYTES) throw new ToolError(TOO_LARGE);
  return content;
}
