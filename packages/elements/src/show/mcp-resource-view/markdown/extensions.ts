import type { Env, MarkdownIt, StateBlock, StateInline, Token } from './markdown-it.js';

/*
 * The syntax of other programs that CommonMark does not have: GitHub, Obsidian, Notion and models. Each is a
 * small rule that looks ahead a limited distance, because the text is hostile.
 */

/** The maximum distance in which the end of a part of a line is searched, in UTF-16 code units. */
const MAX_AHEAD = 2_000;

/** The maximum nesting depth of blocks of {@link addExtensions}. */
const MAX_DEPTH = 10;

/** The HTML tags that format text, and the type of the token for each. */
const FORMATS: { readonly [tag: string]: string } = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  s: 's',
  strike: 's',
  del: 's',
  u: 'u',
  ins: 'u',
  mark: 'mark',
  kbd: 'kbd',
  sub: 'sub',
  sup: 'sup',
  small: 'small',
  ruby: 'ruby',
  rt: 'rt',
  rp: 'rp',
  a: 'link',
};

/** The tags that only arrange their content, which is shown without them. */
const ARRANGING =
  /^(?:span|font|center|p|div|details|summary|a|img|picture|source|h[1-6]|aside|blockquote|think|abbr|cite|q|figure|figcaption|section)$/;

/** Tags around several lines, and the type of the block for each. */
const BLOCKS: { readonly [tag: string]: string } = {
  details: 'details',
  // The thoughts of a model before its answer.
  think: 'details',
  // A callout of Notion.
  aside: 'blockquote',
  blockquote: 'blockquote',
};

/** A character of Chinese, Japanese or Korean, which have no spaces around bold text. */
const CJK =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u;

const IMAGE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|heic)$/i;

/** The facts of a whole text for the rules, which read a part of it. */
export interface TextEnv extends Env {
  /** The labels of its footnotes. */
  footnotes?: ReadonlySet<string>;
  /** Whether its links may be names of other texts: false in notes, whose addresses have no names. */
  hasNames?: boolean;
  /** The depth of nested calls of the rules. */
  depth?: number;
}

/** Adds the rules to a reader of Markdown. */
export function addExtensions({ inline, block }: InstanceType<typeof MarkdownIt>): void {
  inline.State = withCjk(inline.State);
  inline.ruler.before('link', 'wiki_link', readWikiLink);
  inline.ruler.before('link', 'footnote_reference', readFootnoteReference);
  inline.ruler.before('emphasis', 'mark', readMark);
  inline.ruler.before('emphasis', 'hidden', readHidden);
  inline.ruler.before('emphasis', 'note', readInlineNote);
  inline.ruler.before('autolink', 'tag', readTag);
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  block.ruler.before('reference', 'footnote', readFootnote, { alt });
  block.ruler.before('reference', 'hidden', skipHidden, { alt });
  block.ruler.before('reference', 'tags', readTags, { alt });
}

/** The labels of the footnotes of a text. */
export function footnotesOf(text: string): ReadonlySet<string> {
  const labels = new Set<string>();
  for (const [, label] of text.matchAll(/^ {0,3}\[\^([^\]\s]{1,50})\]:/gm)) {
    labels.add(label!);
    if (labels.size === 1_000) break;
  }
  return labels;
}

const ahead = ({ src, pos, posMax }: StateInline): string =>
  src.slice(pos, Math.min(posMax, pos + MAX_AHEAD));

/** Reads a part of a line as the content of a token. Returns the opening half of the token. */
function readInside(state: StateInline, type: string, from: number, to: number): Token {
  const { posMax } = state;
  const token = state.push(`${type}_open`, '', 1);
  [state.pos, state.posMax] = [from, to];
  state.md.inline.tokenize(state);
  state.push(`${type}_close`, '', -1);
  state.posMax = posMax;
  return token;
}

/**
 * Changes the rule for bold text in scripts without spaces, such as `**重要：**内容`. Next to punctuation,
 * CommonMark uses the spaces around `**` to decide whether it begins or ends bold text.
 */
function withCjk(State: typeof StateInline): typeof StateInline {
  return class extends State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const delimiters = super.scanDelims(start, canSplitWord);
      const end = start + delimiters.length;
      const before = Array.from(this.src.slice(Math.max(0, start - 2), start)).at(-1) ?? ' ';
      const [after = ' '] = this.src.slice(end, Math.min(end + 2, this.posMax));
      if (!CJK.test(before) && !CJK.test(after)) return delimiters;
      const [mayOpen, mayClose] = [after.trim() !== '', before.trim() !== ''];
      const [isAfterMark, isBeforeMark] = [before, after].map((one) => /[\p{P}\p{S}]/u.test(one));
      return {
        ...delimiters,
        can_open: mayOpen && (canSplitWord || !mayClose || isAfterMark === true),
        can_close: mayClose && (canSplitWord || !mayOpen || isBeforeMark === true),
      };
    }
  };
}

/** Reads `%%text%%`, which Obsidian does not show. */
function readHidden(state: StateInline): boolean {
  const [found] = /^%%[^]+?%%/.exec(ahead(state)) ?? [];
  if (!found) return false;
  state.pos += found.length;
  return true;
}

/** Reads `^[text]`: a footnote at its place. */
function readInlineNote(state: StateInline, silent: boolean): boolean {
  const [found] = /^\^\[[^[\]\n]{1,500}\]/.exec(ahead(state)) ?? [];
  if (!found) return false;
  const end = state.pos + found.length;
  if (!silent) readInside(state, 'small', state.pos + 1, end);
  state.pos = end;
  return true;
}

/** Reads `==mark==`. */
function readMark(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('==', state.pos)) return false;
  const [found, content] = /^==(?=[^\s=])([^=]*[^\s=])==(?!=)/.exec(ahead(state)) ?? [];
  if (!found || !content) return false;
  const start = state.pos + 2;
  if (!silent) readInside(state, 'mark', start, start + content.length);
  state.pos = start + content.length + 2;
  return true;
}

/** Reads harmless tags, and comments. All other tags stay text. */
function readTag(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '<') return false;
  const rest = ahead(state);
  const comment = /^<!--[^]*?-->/.exec(rest)?.[0];
  const [tag = '', slash, written = ''] =
    /^<(\/?)([a-z]+[1-6]?)(?:\s[^<>]*)?\/?>/i.exec(rest) ?? [];
  const name = written.toLowerCase();
  const href = attributeOf(tag, 'href');
  // An `<a>` without an address marks a place in the text.
  const format = Object.hasOwn(FORMATS, name) && (name !== 'a' || href) ? FORMATS[name] : undefined;
  const after = state.pos + (comment ?? tag).length;
  const isBreak = name === 'br' || name === 'hr';
  if (!comment && !format && !isBreak && !ARRANGING.test(name)) return false;
  state.pos = after;
  if (isBreak && !silent) state.push(name === 'br' ? 'hardbreak' : 'hr', '', 0);
  const src = name === 'img' && attributeOf(tag, 'src');
  if (src && !silent) pushImage(state, src, attributeOf(tag, 'alt'));
  const length = rest.slice(tag.length).search(new RegExp(`</${name}\\s*>`, 'i'));
  if (!format || slash || length < 0) return true;
  if (!silent) {
    const token = readInside(state, format, after, after + length);
    if (name === 'a') token.attrSet('href', href);
  }
  state.pos = after + length;
  return true;
}

/** The value of an attribute; empty if the tag does not have it. */
function attributeOf(tag: string, name: string): string {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'<>]+))`, 'i');
  const found = value.exec(tag)?.slice(1).find(Boolean) ?? '';
  return found.trim().replaceAll('&amp;', '&');
}

function pushImage(state: StateInline, src: string, words: string): void {
  const image = state.push('image', 'img', 0);
  image.attrSet('src', src);
  image.content = words;
  image.children = [];
}

/** Reads `[[address|text]]`, and `![[image]]`. */
function readWikiLink(state: StateInline, silent: boolean): boolean {
  const [found, embed, target = '', label] =
    /^(!?)\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{0,300}))?\]\]/.exec(ahead(state)) ?? [];
  if (!found) return false;
  state.pos += found.length;
  if (silent) return true;
  // No address can contain a lone surrogate.
  const [path = '', heading] = target.trim().toWellFormed().split('#', 2);
  const { hasNames } = state.env as TextEnv;
  if (embed && IMAGE.test(path) && hasNames) {
    // An embedded image has its width at the place of a link's text.
    const words = label && !/^\d+(?:x\d+)?$/.test(label) ? label : path;
    pushImage(state, encodeURI(path), words);
    return true;
  }
  const href = path ? encodeURI(/\.\w{1,8}$/.test(path) ? path : `${path}.md`) : slugOf(heading);
  const isLink = !path || hasNames;
  if (isLink) state.push('link_open', 'a', 1).attrSet('href', href);
  state.push('text', '', 0).content = label || target.replace(/^#/, '');
  if (isLink) state.push('link_close', 'a', -1);
  return true;
}

const slugOf = (heading = ''): string => `#${heading.trim().toLowerCase().replaceAll(/\s/g, '-')}`;

/** Reads `[^label]`. */
function readFootnoteReference(state: StateInline, silent: boolean): boolean {
  const [found, label = ''] = /^\[\^([^\]\s]{1,50})\]/.exec(ahead(state)) ?? [];
  if (!found || !(state.env as TextEnv).footnotes?.has(label)) return false;
  state.pos += found.length;
  if (!silent) state.push('footnote_reference', '', 0).content = label;
  return true;
}

const lineOf = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string =>
  src.slice(bMarks[line]! + tShift[line]!, eMarks[line]);

/** Reads lines as the content of a block. Returns `false` if such blocks are nested too deep. */
function readBlock(
  state: StateBlock,
  type: string,
  source: string,
  readHead?: () => void,
): boolean {
  const env = state.env as TextEnv;
  const depth = env.depth ?? 0;
  if (depth >= MAX_DEPTH) return false;
  env.depth = depth + 1;
  state.push(`${type}_open`, '', 1);
  readHead?.();
  state.md.block.parse(source, state.md, state.env, state.tokens);
  state.push(`${type}_close`, '', -1);
  env.depth = depth;
  return true;
}

/** Reads `[^label]: text`, with the lines up to the next empty one. */
function readFootnote(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const [found, label = ''] = /^\[\^([^\]\s]{1,50})\]:\s*/.exec(lineOf(state, start)) ?? [];
  if (!found || state.sCount[start]! - state.blkIndent >= 4) return false;
  if (silent) return true;
  let next = start + 1;
  while (next < end && !/^$|^\[\^/.test(lineOf(state, next))) next += 1;
  const lines = Array.from({ length: next - start }, (_, line) => lineOf(state, start + line));
  const source = lines.join('\n').slice(found.length);
  const first = state.tokens.length;
  if (!readBlock(state, 'footnote', source)) return false;
  state.tokens[first]!.info = label;
  state.line = next;
  return true;
}

/** Skips `%%` and lines up to the next one, which Obsidian does not show. */
function skipHidden(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (!/^%%(?!.*%%)/.test(lineOf(state, start))) return false;
  let last = start + 1;
  while (last < end && !lineOf(state, last).includes('%%')) last += 1;
  // Text after the end is shown, and with it this line.
  if (last === end || !/%%\s*$/.test(lineOf(state, last))) return false;
  if (!silent) state.line = last + 1;
  return true;
}

/**
 * Reads `<details>` with its `<summary>`, and other tags around several lines, if all of the block is in the
 * text; otherwise the tags are not shown.
 */
function readTags(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const [, written = ''] = /^<([a-z]+)\b/i.exec(lineOf(state, start)) ?? [];
  const tag = written.toLowerCase();
  const type = Object.hasOwn(BLOCKS, tag) ? BLOCKS[tag]! : undefined;
  if (!type) return false;
  const tags = new RegExp(`<(/?)${tag}\\b`, 'gi');
  let [depth, next] = [0, start];
  do {
    for (const [, slash] of lineOf(state, next).matchAll(tags)) depth += slash ? -1 : 1;
    next += 1;
  } while (depth > 0 && next < end);
  if (depth > 0) return false;
  if (silent) return true;
  const whole = state.getLines(start, next, state.blkIndent, false);
  const body = whole
    .replace(new RegExp(`^\\s*<${tag}\\b[^>]*>`, 'i'), '')
    .replace(new RegExp(`</${tag}>[^<]*$`, 'i'), '');
  const [head = '', summary = ''] = /^\s*<summary[^>]*>([^]*?)<\/summary>/i.exec(body) ?? [];
  const readHead = (): void => {
    state.push('summary_open', '', 1);
    const words = state.push('inline', '', 0);
    words.content = summary.trim() || '…';
    words.children = [];
    state.push('summary_close', '', -1);
  };
  const isDetails = type === 'details';
  const read = readBlock(state, type, body.slice(head.length), isDetails ? readHead : undefined);
  if (read) state.line = next;
  return read;
}
