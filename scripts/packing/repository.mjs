// The address of the repository, in what is published.

/** @typedef {string | { type?: string, url: string } | undefined} Repository the field of a package.json */

/**
 * The main page of the repository.
 * @param {Repository} repository
 */
export const pageOf = (repository) =>
  urlOf(repository)
    ?.replace(/^git\+/, '')
    .replace(/\.git$/, '');

/**
 * The manifest of a package, which registries link to its folder in the repository.
 * @param {object} manifest
 * @param {Repository} repository of the manifest of the root
 * @param {string} directory of the package
 */
export function withRepository(manifest, repository, directory) {
  const url = urlOf(repository);
  return url ? { ...manifest, repository: { type: 'git', url, directory } } : manifest;
}

/** @param {Repository} repository */
const urlOf = (repository) => (typeof repository === 'string' ? repository : repository?.url);
