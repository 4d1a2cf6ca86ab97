import { Slices } from '../../reading/slices.js';
import { loadLanguage } from './code/languages.js';
import { LineParser, type Token } from './code/line-parser.js';

/** Longer code is not highlighted in Markdown, in UTF-16 code units. */
const MAX_LENGTH = 100_000;

/**
 * Highlights a block of code: text nodes, and spans with the classes of code/tokens.ts, which has
 * their colours. It works in slices, and loads the language first.
 *
 * @param language A name as in Markdown, such as `ts` or `python`.
 * @returns `undefined` for a language that is not known, and for code that is too long.
 */
export async function highlight(code: string, language: string): Promise<Node | undefined> {
  if (code.length > MAX_LENGTH) return undefined;
  const parser = await loadLanguage(language);
  if (!parser) return undefined;
  const lines = new LineParser(parser);
  const state = lines.start();
  const slices = new Slices(new AbortController().signal, () => undefined);
  const fragment = document.createDocumentFragment();
  for (const [index, line] of code.split('\n').entries()) {
    await slices.next();
    if (index > 0) fragment.append('\n');
    appendTokens(fragment, line, lines.tokens(line, state));
  }
  return fragment;
}

function appendTokens(parent: Node, line: string, tokens: readonly Token[]): void {
  let start = 0;
  for (const { end, className } of tokens) {
    const text = document.createTextNode(line.slice(start, end));
    start = end;
    if (className === '') {
      parent.appendChild(text);
      continue;
    }
    const span = document.createElement('span');
    span.className = className;
    span.append(text);
    parent.appendChild(span);
  }
  if (start < line.length) parent.appendChild(document.createTextNode(line.slice(start)));
}
