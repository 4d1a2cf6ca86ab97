// The address of the repository, its owner and its author, in published files. The package.json of the root
// defines them; those of the packages repeat them where people read them, and `npm run check -- packages`
// compares both.

/**
 * @typedef {object} RootManifest
 * @property {string} author
 * @property {string} repository the address of its main page
 */

/** The name in place of the owner until the packages are published. */
const PLACEHOLDER = 'OWNER';

/**
 * The owner of the repository; undefined until the package.json of the root names one.
 * @param {RootManifest} root
 */
export function ownerOf({ repository }) {
  const owner = new URL(repository).pathname.split('/')[1];
  return owner === PLACEHOLDER ? undefined : owner;
}

/**
 * The main page of the repository, for links; undefined until it has an owner.
 * @param {RootManifest} root
 */
export const pageOf = (root) => (ownerOf(root) ? root.repository : undefined);

/**
 * The fields of a package about its origin.
 * @param {RootManifest} root
 * @param {string} directory of the package
 */
export const originFields = ({ author, repository }, directory) => ({
  author,
  homepage: `${repository}/tree/main/${directory}#readme`,
  repository: { type: 'git', url: `git+${repository}.git`, directory },
  bugs: `${repository}/issues`,
  funding: `https://github.com/sponsors/${new URL(repository).pathname.split('/')[1]}`,
  publishConfig: { access: 'public', provenance: true },
});
