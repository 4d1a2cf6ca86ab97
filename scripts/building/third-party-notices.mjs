// The licences of the packages inside a bundled file, in full, because most of them require it.
import { readdirSync, readFileSync } from 'node:fs';
import { inRoot } from '../project/project.mjs';

/** Packages without a licence file, each with a package of the same project and licence that has one. */
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
 * The files whose code is in a bundle.
 * @param {import('esbuild').Metafile} metafile of a build in the root folder
 */
function bundledFiles({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

/**
 * The folders in node_modules of the packages of files, sorted.
 * @param {string[]} paths below the root folder
 */
function packagesOf(paths) {
  const folders = paths.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).toSorted();
}

/**
 * The text of the file.
 * @param {import('esbuild').Metafile[]} metafiles
 * @throws {Error} if a package has no file with its licence.
 */
export function thirdPartyNotices(metafiles) {
  return noticesOf(metafiles.flatMap(bundledFiles)) ?? '';
}

/**
 * The text for files; undefined if all of them are our own.
 * @param {string[]} paths below the root folder
 */
export function noticesOf(paths) {
  const folders = packagesOf(paths);
  if (folders.length === 0) return undefined;
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
