// The index of the docs site's search.
import MiniSearch from 'minisearch';
import { otherWords } from './other-words.mjs';
import { termOf } from './search-terms.mjs';

const options = {
  fields: ['heading', 'title', 'others', 'names', 'text'],
  storeFields: ['heading', 'title', 'url', 'others', 'names', 'kind'],
};

/** The parts of the index, each for the pages of one folder. The first has the start page, too. */
export const searchParts = ['guides', 'elements', 'packages', 'details', 'decisions'];

/**
 * The parts of the index by their file names.
 * @param {readonly import('./layout.mjs').Page[]} pages
 */
export function searchFiles(pages) {
  /** @param {string} path */
  const partOf = (path) =>
    searchParts.find((part) => path.startsWith(`${part}/`)) ?? searchParts[0];
  return new Map(
    searchParts.map((part) => [
      searchFile(part),
      searchIndex(
        pages.filter(({ path }) => partOf(path) === part),
        part,
      ),
    ]),
  );
}

/** @param {string} part */
export const searchFile = (part) => `search-${part}.json`;

/**
 * The index, with a document for each heading of each page, and for each member of a package's exports.
 * @param {readonly import('./layout.mjs').Page[]} pages
 * @param {string} folder
 */
function searchIndex(pages, folder) {
  const search = new MiniSearch({ ...options, processTerm: termOf });
  let id = 0;
  for (const page of pages) {
    const kind = page.members ? 'reference' : folder;
    for (const { heading, id: fragment, text, names } of partsOf(page)) {
      const url = fragment ? `${page.path}#${fragment}` : page.path;
      // The other names are also matched exactly: a search for `theme` should find the guide, not a symbol
      // with that name.
      const others = otherWords[url]?.split(' ') ?? [];
      const { title } = page;
      // The changelog contains the terms of almost every question, so its text is not searched.
      const told = url.startsWith('details/changelog.html#') ? '' : text;
      const document = { url, title, heading, text: told, names, others, kind };
      search.add({ id: (id += 1), ...document });
    }
    for (const { name, id: fragment } of page.members ?? []) {
      const names = [name.split('.').at(-1)];
      const url = `${page.path}#${fragment}`;
      search.add({ id: (id += 1), url, title: page.title, heading: name, names, kind });
    }
  }
  // The page that searches needs the same options.
  return JSON.stringify({ options, index: JSON.stringify(search) });
}

/** @param {import('./layout.mjs').Page} page */
function partsOf({ html, title }) {
  const parts = html.split(/(?=<h[2-4] id="|<details id=")/);
  /** @type {Map<string, { heading: string, id: string, text: string, names: string[] }>} */
  const byId = new Map();
  for (const part of parts) {
    const [, id = '', heading = title] =
      /^<(?:h[2-4]|details) id="([^"]*)">(?:<summary>)?(.*?)<\/(?:h[2-4]|code)>/s.exec(part) ?? [];
    const one = { heading: plain(heading), id, text: plain(part), names: namesIn(part) };
    if (!byId.has(id)) byId.set(id, one);
  }
  return [...byId.values()];
}

/**
 * The subjects of a table's rows, such as properties or the codes of errors.
 * @param {string} html
 */
function namesIn(html) {
  const cells = [...html.matchAll(/<tr>\s*<td>(.*?)<\/td>/gs)].map(([, cell = '']) => cell);
  const codes = cells.flatMap((cell) => [...cell.matchAll(/<code>(.*?)<\/code>/gs)]);
  return codes.map(([, code = '']) => /^[\w.-]*/.exec(plain(code))?.[0] ?? '').filter(Boolean);
}

/** @param {string} html */
const plain = (html) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
