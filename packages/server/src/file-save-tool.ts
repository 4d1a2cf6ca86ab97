import * as z from 'zod';
import { base64Size, decodeBase64, isBase64 } from './base64-content.js';
import type { Feature } from './connection.js';
import { MAX_INLINE_BYTES } from './content.js';
import { fileAnswer, fileAnswerOf, isThere, pathOf, quotedPath } from './file-tool-terms.js';
import { ICONS } from './icons.js';
import { invalidParams } from './protocol-errors.js';
import { given } from './given.js';
import { argumentsOf } from './tool-arguments.js';
import * as fields from './tool-schemas.js';
import { registerOwnTool, type ToolCall } from './tool.js';

const MAX_BASE64_LENGTH = Math.ceil(MAX_INLINE_BYTES / 3) * 4;

const TOO_LARGE = `The content has more than ${MAX_INLINE_BYTES} bytes; save a smaller file.`;

const textContent = z
  .string()
  .max(MAX_INLINE_BYTES, { error: TOO_LARGE, abort: true })
  .refine((whole) => !/\p{Surrogate}/u.test(whole), 'Holds half a surrogate pair: not Unicode.');

const base64Content = z
  .string()
  .max(MAX_BASE64_LENGTH, { error: TOO_LARGE, abort: true })
  .refine(isBase64, 'Is not base64 (RFC 4648 section 4: with padding, without line breaks).')
  .meta({ contentEncoding: 'base64' });

const saveFileInput = argumentsOf({
  path: fields.filePath,
  text: textContent
    .optional()
    .describe(`The content as text; at most ${MAX_INLINE_BYTES} bytes in UTF-8.`),
  base64: base64Content
    .optional()
    .describe(
      `The content in base64, with padding and without line breaks; at most ${MAX_INLINE_BYTES} bytes decoded.`,
    ),
  mediaType: fields.mediaType.optional(),
  expectedRevision: fields.expectedRevisionOrNone.optional(),
  audience: fields.audience
    .nullable()
    .optional()
    .describe(`${fields.audience.description} null removes it. Default: as before.`),
  priority: fields.priority
    .nullable()
    .optional()
    .describe(`${fields.priority.description} null removes it. Default: as before.`),
  idempotencyKey: fields.idempotencyKey.optional(),
}).refine(
  ({ text, base64 }) => (text === undefined) !== (base64 === undefined),
  'Give the content either as text or as base64, and not both.',
);

/** The tool `save_file`. */
export const saveFile: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'save_file',
    title: 'Save a file',
    description:
      "Writes a file whole among the user's own, over one of the same path. Give its content as " +
      'text, or as base64 when it is not text. Folders need not be made: they are what stands ' +
      `before a slash in a path. ${fields.ONE_MESSAGE} Larger files are for the user to upload.`,
    icons: ICONS.save,
    input: saveFileInput,
    output: fileAnswer,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async question(input) {
      const path = pathOf(input.path);
      const isOver = await isThere(connection.store.files, path);
      return isOver
        ? `Save over the file ${quotedPath(path)}?`
        : `Save a new file ${quotedPath(path)}?`;
    },
    async run({ path: pathOrUri, text, base64, ...options }, call) {
      const { files } = connection.store;
      const path = pathOf(pathOrUri);
      const content = await contentOf(text, base64, call);
      const write = { ...given(options), signal: call.signal };
      const file = await files.write(path, content, write);
      call.progress(content.size, content.size);
      return fileAnswerOf(file);
    },
  });

/** @throws {ProtocolError} −32602 above {@link MAX_INLINE_BYTES}. */
async function contentOf(
  text: string | undefined,
  base64: string | undefined,
  { signal, progress }: ToolCall,
): Promise<Blob> {
  if (base64 === undefined) return checkSize(new Blob([text ?? '']));
  const total = base64Size(base64);
  return checkSize(await decodeBase64(base64, signal, (done) => progress(done, total)));
}

function checkSize(content: Blob): Blob {
  if (content.size > MAX_INLINE_BYTES) throw invalidParams(TOO_LARGE);
  return content;
}
