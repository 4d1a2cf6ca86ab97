// The licences of the packages inside a bundled file, in full: most of them ask for it.
import { readdirSync, readFileSync } from 'node:fs';
import { inRoot } from './project.mjs';

/** Packages without a file of their own, with another one of the same project and licence that has it. */
const SAME_LICENCE = new Map([['@ai-sdk/provider-utils', '@ai-sdk/provider']]);

/** The file with the texts, in the folder of the bundled files. */
export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

/**
 * The first line of a bundled file.
 * @param {{ name: string, version: string, license: string }} manifest of the package that ships it
 */
export const banner = ({ name, version, license }) =>
  `/*! ${name} ${version} | ${license} | third-party software: ${NOTICES_FILE} */`;

/**
 * The folder of the package in node_modules that a file is in; undefined for a file of our own.
 * @param {string} path
 */
export const packageFolderOf = (path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0];

/**
 * The folders in node_modules of the packages whose code is in a bundle.
 * @param {import('esbuild').Metafile} metafile of a build in the root folder
 */
function bundledPackages({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => packageFolderOf(path) ?? []);
}

/**
 * The text of the file.
 * @param {import('esbuild').Metafile[]} metafiles
 * @throws {Error} if a package has no file with its licence.
 */
export const thirdPartyNotices = (metafiles) =>
  thirdPartyNoticesOf(metafiles.flatMap(bundledPackages));

/**
 * The same of packages that are known.
 * @param {string[]} found their folders
 * @throws {Error} if a package has no file with its licence.
 */
export function thirdPartyNoticesOf(found) {
  const folders = [...new Set(found)].toSorted();
  const line = '='.repeat(80);
  const intro = 'The files of this folder contain code of the following packages.\n';
  return [intro, ...folders.map(noticeOf)].join(`\n${line}\n\n`);
}

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(read(`${folder}/package.json`));
  const source = folder.replace(name, SAME_LICENCE.get(name) ?? name);
  const files = readdirSync(inRoot(source)).filter((file) =>
    /^(licen[cs]e|copying|notice)\b/i.test(file),
  );
  if (files.length === 0) throw new Error(`${name} is bundled, but has no file with its licence.`);
  const texts = files.toSorted().map((file) => read(`${source}/${file}`).trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/** @param {string} path */
const read = (path) => readFileSync(inRoot(path), 'utf8');

/**
 * The package.json of one of our packages.
 * @param {string} folder in packages/
 * @returns {{ name: string, version: string, license: string }}
 */
export const manifestOf = (folder) => JSON.parse(read(`packages/${folder}/package.json`));
