// The encoding of a text, the media types that are texts, and the form of a text that every search compares.
export { fromBase64 } from './base64.js';
export { decodeText, type DecodedText, type DecodeOptions } from './decode-text.js';
export { foldText } from './fold-text.js';
export { isTextType } from './text-types.js';
