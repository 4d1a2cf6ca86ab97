// Each package as it is published, in a separate folder: with links that work outside the repository, and
// with the documents that every tarball has.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { inRoot, packageNames } from '../project/project.mjs';
import { elementsManifest, elementsOf } from '../elements/manifest.mjs';
import { elementTexts } from './element-texts.mjs';
import { withPublicLinks } from './links.mjs';
import { pageOf } from './repository.mjs';

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {{ [name: string]: string }} [dependencies]
 * @property {{ [name: string]: string }} [peerDependencies]
 * @property {{ [name: string]: { optional: boolean } }} [peerDependenciesMeta]
 */

const checkedFolder = inRoot('node_modules/.cache/packages');

/** The folder of a package as it is published, for the checks. @param {string} name */
export const stagedFolder = (name) => `${checkedFolder}/${name}`;

/**
 * Copies the built packages; resolves to their folders.
 * @param {string} [folder] around them: scripts that run at the same time must not copy into the same folder
 */
export async function stagePackages(folder = checkedFolder) {
  await rm(folder, { recursive: true, force: true });
  return await Promise.all(packageNames.map((name) => stage(name, `${folder}/${name}`)));
}

/** Resolves to the target. @param {string} name @param {string} target */
async function stage(name, target) {
  const source = inRoot('packages', name);
  await mkdir(target, { recursive: true });
  for (const part of ['LICENSE', 'dist', 'docs', 'src'])
    if (existsSync(`${source}/${part}`))
      await cp(`${source}/${part}`, `${target}/${part}`, { recursive: true, filter: isShipped });
  const rootManifest = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
  const manifest = JSON.parse(await readFile(`${source}/package.json`, 'utf8'));
  const published = withPeers(manifest);
  await writeFile(`${target}/package.json`, `${JSON.stringify(published, null, 2)}\n`);
  await stageDocuments(source, target, pageOf(rootManifest));
  return target;
}

/** The packages that apps install together. */
const TOGETHER = ['@inpage-mcp/client', '@inpage-mcp/elements', '@inpage-mcp/runtime'];

/**
 * The manifest with the others of these packages as optional peers. Without them, an update of one package
 * silently installs its dependencies a second time; with them, npm names the packages that have to be
 * updated, too.
 * @param {Manifest} manifest
 */
function withPeers(manifest) {
  const { name, version, dependencies = {} } = manifest;
  if (!TOGETHER.includes(name)) return manifest;
  const others = TOGETHER.filter((other) => other !== name && !dependencies[other]);
  /** @template Value @param {Value} value @returns {{ [name: string]: Value }} */
  const each = (value) => Object.fromEntries(others.map((other) => [other, value]));
  return {
    ...manifest,
    peerDependencies: { ...manifest.peerDependencies, ...each(version) },
    peerDependenciesMeta: { ...manifest.peerDependenciesMeta, ...each({ optional: true }) },
  };
}

/** @param {string} path */
const isShipped = (path) => !path.endsWith('.tsbuildinfo');

/** @param {string} source @param {string} target @param {string | undefined} page of the repository */
async function stageDocuments(source, target, page) {
  /** @param {string} path @param {string} [added] */
  const document = async (path, added = '') => {
    const text = `${await readFile(path, 'utf8')}${added}`;
    await writeFile(`${target}/${basename(path)}`, withPublicLinks(text, page));
  };
  await document(`${source}/README.md`);
  await document(inRoot('CHANGELOG.md'));
  if (existsSync(`${source}/llms.txt`))
    await document(`${source}/llms.txt`, `\n${elementTexts(elementsOf(elementsManifest()))}`);
}
