// The parser of Markdown. The published package has a bundle of it with smaller imports
// (scripts/building/markdown-bundle.mjs).
export {
  default as MarkdownIt,
  type Env,
  type StateBlock,
  type StateInline,
  type Token,
} from 'markdown-it';
