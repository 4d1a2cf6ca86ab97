// Each package as it is published, in a folder of its own: with links that work outside the repository,
// and with the documents that every tarball has.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { inRoot, packageNames } from '../project.mjs';
import { elementsManifest, elementsOf } from '../elements/manifest.mjs';
import { elementTexts } from './element-texts.mjs';
import { withPublicLinks } from './links.mjs';

const folder = inRoot('node_modules/.cache/packages');

/** @param {string} name */
const stagedFolder = (name) => `${folder}/${name}`;

/** Copies the built packages; resolves to their folders. */
export async function stagePackages() {
  await rm(folder, { recursive: true, force: true });
  await Promise.all(packageNames.map(stage));
  return packageNames.map(stagedFolder);
}

/** @param {string} name */
async function stage(name) {
  const source = inRoot('packages', name);
  const target = stagedFolder(name);
  await mkdir(target, { recursive: true });
  for (const part of ['package.json', 'LICENSE', 'dist', 'docs', 'src'])
    if (existsSync(`${source}/${part}`))
      await cp(`${source}/${part}`, `${target}/${part}`, { recursive: true, filter: isShipped });
  await stageDocuments(source, target);
}

/** @param {string} path */
const isShipped = (path) => !path.endsWith('.tsbuildinfo');

/** @param {string} source @param {string} target */
async function stageDocuments(source, target) {
  const { repository } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
  /** @param {string} path @param {string} [added] */
  const document = async (path, added = '') => {
    const text = `${await readFile(path, 'utf8')}${added}`;
    await writeFile(`${target}/${basename(path)}`, withPublicLinks(text, pageOf(repository)));
  };
  await document(`${source}/README.md`);
  await document(inRoot('CHANGELOG.md'));
  if (existsSync(`${source}/llms.txt`))
    await document(`${source}/llms.txt`, `\n${elementTexts(elementsOf(elementsManifest()))}`);
}

/**
 * The main page of the repository, from the field of a package.json.
 * @param {string | { url: string } | undefined} repository
 */
const pageOf = (repository) =>
  (typeof repository === 'string' ? repository : repository?.url)
    ?.replace(/^git\+/, '')
    .replace(/\.git$/, '');
