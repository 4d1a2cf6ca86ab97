import type { EmbeddedResource } from '@inpage-mcp/client';

/** The media types of images that the APIs of Anthropic and OpenAI accept. */
export type AnthropicImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** A content block of a user message of Anthropic's Messages API. Before an image, a text names it. */
export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } }
  | {
      type: 'document';
      source:
        | { type: 'text'; media_type: 'text/plain'; data: string }
        | { type: 'base64'; media_type: 'application/pdf'; data: string };
      /** The title of the resource, in one line of 200 characters at most. */
      title: string;
      /** The uri, in one line. */
      context: string;
    };

/** A part of a user message of OpenAI's Responses API. Before an image or a file, a text names it. */
export type OpenAiPart =
  | { type: 'input_text'; text: string }
  /** An image; `image_url` is a data URL. */
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  /** A file; `file_data` is a data URL. */
  | { type: 'input_file'; filename: string; file_data: string };

/** A content part of OpenAI's Chat Completions API. Before an image or a file, a text names it. */
export type OpenAiChatPart =
  | { type: 'text'; text: string }
  /** An image; `url` is a data URL. */
  | { type: 'image_url'; image_url: { url: string; detail: 'auto' } }
  /** A file; `file_data` is a data URL. */
  | { type: 'file'; file: { filename: string; file_data: string } };

/** A part of Google's Gemini API. Before an image or a PDF, a text names it. `data` is base64. */
export type GooglePart = { text: string } | { inlineData: { mimeType: string; data: string } };

/**
 * A part of a user message of the AI SDK of Vercel, from version 5. Before an image or a file, a text
 * names it. `image` and `data` are base64.
 */
export type AiSdkPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: string; mediaType: AnthropicImageType }
  | { type: 'file'; data: string; mediaType: 'application/pdf'; filename: string };

/** The parts of each format that has parts. */
export interface ContextParts {
  /** Content blocks of a prompt message of MCP 2026-07-28 (Prompts › Embedded Resources). */
  mcp: EmbeddedResource;
  /** Content blocks of Anthropic's Messages API. */
  anthropic: AnthropicBlock;
  /** Input parts of OpenAI's Responses API. */
  openai: OpenAiPart;
  /** Content parts of OpenAI's Chat Completions API. */
  'openai-chat': OpenAiChatPart;
  /** Parts of Google's Gemini API. */
  google: GooglePart;
  /** Parts of a user message of the AI SDK of Vercel. */
  'ai-sdk': AiSdkPart;
}
