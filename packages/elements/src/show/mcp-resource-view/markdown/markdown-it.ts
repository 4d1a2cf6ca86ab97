// The parser of Markdown. In what is published it is a bundle with smaller imports
// (scripts/building/markdown-bundle.mjs).
export {
  default as MarkdownIt,
  type Env,
  type StateBlock,
  type StateInline,
  type Token,
} from 'markdown-it';
