// The encoding of a text, and which contents are texts.
export { decodeText, type DecodedText, type DecodeOptions } from './decode-text.js';
export { isTextType } from './text-types.js';
