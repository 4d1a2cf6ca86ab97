import type { Kind } from '../context/media-type.js';
import type { AnthropicImageType } from '../context/part-types.js';
import { ANTHROPIC, ANY_API, GOOGLE, OPENAI, type TakenMedia } from '../context/taken-media.js';
import type { MediaPiece, Piece } from './answer-pieces.js';
import type { ToolFormat, ToolFormats } from './tool-formats.js';
import type { AiSdkSchema, ToolSchema } from './vendor-types.js';

/** A tool by the name and with the schema that the model gets. */
export interface NamedTool {
  name: string;
  description: string | undefined;
  schema: ToolSchema;
}

/** Calls a tool, for formats whose tools contain a function. */
type Execute<Name extends ToolFormat> = (
  name: string,
  args: unknown,
  signal: AbortSignal | undefined,
) => Promise<ToolFormats[Name]['answer']>;

/** The writer of the tools and their answers in one format. */
interface Writer<Name extends ToolFormat> extends TakenMedia {
  tools(tools: readonly NamedTool[], execute: Execute<Name>): ToolFormats[Name]['tools'];
  /** @param pieces At least one piece. */
  answer(pieces: readonly Piece[], isError: boolean): ToolFormats[Name]['answer'];
}

const MEDIA: readonly Kind[] = ['image', 'pdf'];

/** The writers, with the shapes of the APIs' references in November 2026. */
export const WRITERS: { [Name in ToolFormat]: Writer<Name> } = {
  anthropic: {
    ...ANTHROPIC,
    kinds: MEDIA,
    tools: (tools) =>
      tools.map(({ name, description, schema }) => ({
        name,
        ...(description && { description }),
        input_schema: schema,
      })),
    answer: (pieces, isError) => ({
      content: pieces.map((piece) => {
        if (piece.kind === 'text') return { type: 'text', text: piece.text };
        const { type, data, name } = piece;
        // The API refuses a failure with anything but texts, and with it the whole conversation.
        if (isError) return { type: 'text', text: `[${name}]` };
        if (piece.kind === 'image') {
          const media_type = type as AnthropicImageType;
          return { type: 'image', source: { type: 'base64', media_type, data } };
        }
        const source = { type: 'base64', media_type: 'application/pdf', data } as const;
        return { type: 'document', source, title: name, context: name };
      }),
      is_error: isError,
    }),
  },

  openai: {
    ...OPENAI,
    kinds: MEDIA,
    tools: (tools) =>
      tools.map(({ name, description, schema }) => ({
        type: 'function',
        name,
        ...(description && { description }),
        parameters: schema,
        strict: false,
      })),
    answer(pieces, isError) {
      if (!pieces.some(isMedia)) return inWords(pieces, isError);
      const texts = isError ? [{ type: 'input_text', text: FAILED } as const] : [];
      return [
        ...texts,
        ...pieces.map((piece) => {
          if (piece.kind === 'text') return { type: 'input_text', text: piece.text } as const;
          const url = `data:${piece.type};base64,${piece.data}`;
          return piece.kind === 'image'
            ? ({ type: 'input_image', image_url: url, detail: 'auto' } as const)
            : ({ type: 'input_file', filename: pdfName(piece), file_data: url } as const);
        }),
      ];
    },
  },

  'openai-chat': {
    ...OPENAI,
    kinds: [],
    tools: (tools) =>
      tools.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, ...(description && { description }), parameters: schema },
      })),
    answer: inWords,
  },

  google: {
    ...GOOGLE,
    kinds: MEDIA,
    // The API refuses an entry without declarations.
    tools: (tools) =>
      tools.length === 0
        ? []
        : [
            {
              functionDeclarations: tools.map(({ name, description, schema }) => ({
                name,
                ...(description && { description }),
                parametersJsonSchema: schema,
              })),
            },
          ],
    answer(pieces, isError) {
      const words = inWords(pieces, false);
      const parts = pieces.filter(isMedia).map(({ type, data }) => ({
        inlineData: { mimeType: type, data },
      }));
      return {
        response: isError ? { error: words } : { output: words },
        ...(parts.length > 0 && { parts }),
      };
    },
  },

  'ai-sdk': {
    ...ANY_API,
    kinds: MEDIA,
    tools: (tools, execute) =>
      Object.fromEntries(
        tools.map(({ name, description, schema }) => [
          name,
          {
            type: 'dynamic',
            ...(description && { description }),
            inputSchema: aiSdkSchema(schema),
            execute: (input, { abortSignal } = {}) => execute(name, input, abortSignal),
            toModelOutput: ({ output }) => output as ToolFormats['ai-sdk']['answer'],
          },
        ]),
      ),
    answer(pieces, isError) {
      if (isError) return { type: 'error-text', value: inWords(pieces, false) };
      if (!pieces.some(isMedia)) return { type: 'text', value: inWords(pieces, false) };
      const value = pieces.map((piece) => {
        if (piece.kind === 'text') return { type: 'text', text: piece.text } as const;
        const { data, type: mediaType } = piece;
        return piece.kind === 'image'
          ? ({ type: 'image-data', data, mediaType } as const)
          : ({ type: 'file-data', data, mediaType, filename: pdfName(piece) } as const);
      });
      return { type: 'content', value };
    },
  },

  text: {
    kinds: [],
    tools: (tools) =>
      tools.map(({ name, description = '', schema }) => ({
        name,
        description,
        inputSchema: schema,
      })),
    answer: inWords,
  },
};

/** The first line of a failed answer, for the APIs that have no field for a failure. */
const FAILED = 'The tool has failed.';

/** The answer as a text: the texts, with the names of the media. */
function inWords(pieces: readonly Piece[], isError: boolean): string {
  const words = pieces.map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.name}]`));
  return [...(isError ? [FAILED] : []), ...words].join('\n');
}

const isMedia = (piece: Piece): piece is MediaPiece => piece.kind !== 'text';

/** A file name with the ending that the APIs expect for a PDF. */
function pdfName({ name }: MediaPiece): string {
  const flat = name.replaceAll(/[/\\]/g, ' ').trim();
  return /\.pdf$/i.test(flat) ? flat : `${flat}.pdf`;
}

/** The symbol with which the AI SDK marks its own schemas: it does not change a schema that has it. */
const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

function aiSdkSchema(schema: ToolSchema): AiSdkSchema {
  const own = { [AI_SDK_SCHEMA]: true, jsonSchema: schema, validate: undefined };
  const jsonSchema = { input: () => schema, output: () => schema };
  return {
    ...own,
    '~standard': { version: 1, vendor: 'inpage-mcp', validate: acceptAll, jsonSchema },
  };
}

const acceptAll = (value: unknown): { value: unknown } => ({ value });
