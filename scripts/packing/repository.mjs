// The address of the repository, its owner and its author, in what is published. The package.json of the
// root decides; those of the packages repeat it where people read it, and `npm run check -- packages` compares.

/**
 * @typedef {object} RootManifest
 * @property {string} author
 * @property {string} repository the address of its main page
 */

/** The name that stands in the place of the owner until somebody publishes the packages. */
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
 * The fields of a package that say where it comes from.
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
