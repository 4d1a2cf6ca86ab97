// The links of a package's README, which registries show outside the repository.

const REGISTRY = 'https://www.npmjs.com/package';
const REGISTRY_OF_CDN = `${REGISTRY}/inpage-mcp`;
const NOTE =
  'The examples, the decisions and the documents in `docs` are in the source repository.';
const LINK = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/**
 * Rewrites each link out of the package: a link to another package of ours leads to the registry, and a link
 * to a document leads to the repository. Without an address of the repository, only the text of the link
 * stays, with a note.
 * @param {string} text of a README, or of another document in a package's folder
 * @param {string | undefined} repository the address of its main page
 */
export function withPublicLinks(text, repository) {
  const linked = text.replaceAll(LINK, (link, words, target) => {
    const path = /^\.\.\/(.+)$/.exec(target)?.[1];
    if (path === undefined) return link;
    const isDocument = path.startsWith('../');
    if (!isDocument) return `[${words}](${addressOf(path.split('/')[0])})`;
    return repository ? `[${words}](${repository}/blob/main/${path.slice(3)})` : words;
  });
  return repository || !text.includes('](../../') ? linked : `${linked}\n${NOTE}\n`;
}

/** @param {string | undefined} folder of a package */
const addressOf = (folder) =>
  folder === 'cdn' ? REGISTRY_OF_CDN : `${REGISTRY}/@inpage-mcp/${folder}`;

/**
 * The targets of the links that are neither an address nor a part of the same document.
 * @param {string} text
 */
export const relativeLinks = (text) =>
  [...text.matchAll(LINK)]
    .map(([, , target = '']) => target)
    .filter((target) => !/^([a-z][a-z\d+.-]*:|#)/i.test(target));
