import { base64Of, textOf } from './bytes.js';
import type { Kind } from './media-type.js';
import type { AnthropicImageType, ContextParts } from './part-types.js';
import { fenced, lineOf, provenance } from './plain-text.js';
import type { Source } from './source.js';
import { ANTHROPIC, ANY_API, GOOGLE, OPENAI, type TakenMedia } from './taken-media.js';

/** The way in which a content is written. */
interface Format<Part> extends TakenMedia {
  /** Whether the API refuses a text that has only spaces. */
  needsText?: boolean;
  write(source: Source): Promise<Part[]>;
}

const MEDIA: readonly Kind[] = ['text', 'image', 'pdf'];

/** The formats, with the shapes of the APIs' references in November 2026. */
export const FORMATS: { [Name in keyof ContextParts]: Format<ContextParts[Name]> } & {
  text: Format<string>;
} = {
  mcp: {
    kinds: ['text', 'image', 'pdf', 'other'],
    async write({ uri, type, kind, bytes, annotations }) {
      const contents =
        kind === 'text' ? { text: await textOf(bytes) } : { blob: await base64Of(bytes) };
      const names = { uri: uri.toWellFormed(), mimeType: type };
      return [{ type: 'resource', annotations, resource: { ...names, ...contents } }];
    },
  },

  anthropic: {
    ...ANTHROPIC,
    kinds: MEDIA,
    needsText: true,
    async write(source) {
      const names = { title: source.title, context: lineOf(source.uri) };
      if (source.kind === 'text') {
        const data = await textOf(source.bytes);
        const text = { type: 'text', media_type: 'text/plain', data } as const;
        return [{ type: 'document', source: text, ...names }];
      }
      const data = await base64Of(source.bytes);
      if (source.kind === 'pdf') {
        const pdf = { type: 'base64', media_type: 'application/pdf', data } as const;
        return [{ type: 'document', source: pdf, ...names }];
      }
      const media_type = source.type as AnthropicImageType;
      return [
        { type: 'text', text: provenance(source) },
        { type: 'image', source: { type: 'base64', media_type, data } },
      ];
    },
  },

  openai: {
    ...OPENAI,
    kinds: MEDIA,
    async write(source) {
      if (source.kind === 'text')
        return [{ type: 'input_text', text: fenced(source, await textOf(source.bytes)) }];
      const url = `data:${source.type};base64,${await base64Of(source.bytes)}`;
      return [
        { type: 'input_text', text: provenance(source) },
        source.kind === 'image'
          ? { type: 'input_image', image_url: url, detail: 'auto' }
          : { type: 'input_file', filename: pdfName(source), file_data: url },
      ];
    },
  },

  'openai-chat': {
    ...OPENAI,
    kinds: MEDIA,
    async write(source) {
      if (source.kind === 'text')
        return [{ type: 'text', text: fenced(source, await textOf(source.bytes)) }];
      const url = `data:${source.type};base64,${await base64Of(source.bytes)}`;
      return [
        { type: 'text', text: provenance(source) },
        source.kind === 'image'
          ? { type: 'image_url', image_url: { url, detail: 'auto' } }
          : { type: 'file', file: { filename: pdfName(source), file_data: url } },
      ];
    },
  },

  google: {
    ...GOOGLE,
    kinds: MEDIA,
    async write(source) {
      if (source.kind === 'text') return [{ text: fenced(source, await textOf(source.bytes)) }];
      const data = await base64Of(source.bytes);
      return [{ text: provenance(source) }, { inlineData: { mimeType: source.type, data } }];
    },
  },

  'ai-sdk': {
    ...ANY_API,
    kinds: MEDIA,
    async write(source) {
      if (source.kind === 'text')
        return [{ type: 'text', text: fenced(source, await textOf(source.bytes)) }];
      const data = await base64Of(source.bytes);
      return [
        { type: 'text', text: provenance(source) },
        source.kind === 'image'
          ? { type: 'image', image: data, mediaType: source.type as AnthropicImageType }
          : { type: 'file', data, mediaType: 'application/pdf', filename: pdfName(source) },
      ];
    },
  },

  text: {
    kinds: ['text'],
    write: async (source) => [fenced(source, await textOf(source.bytes))],
  },
};

/** A file name that ends as the APIs expect for a PDF. */
function pdfName({ title }: Source): string {
  const name = title.replaceAll(/[/\\]/g, ' ').trim();
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}
