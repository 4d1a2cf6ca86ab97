// The encoding of a text, which contents are texts, and what every search compares.
export { fromBase64 } from './base64.js';
export { decodeText, type DecodedText, type DecodeOptions } from './decode-text.js';
export { foldText } from './fold-text.js';
export { isTextType } from './text-types.js';
