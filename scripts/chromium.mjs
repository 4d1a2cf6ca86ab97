// Finds a Chromium or Chrome for the tests and benchmarks, and installs one where that is safe.
// Only Node's own modules: it may run before anything is installed.
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';

const commandNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];

const macApps = ['Google Chrome', 'Chromium'];

const isRoot = () => process.getuid?.() === 0;

/** @param {string} path */
const isFile = (path) => existsSync(path) && statSync(path).isFile();

function linuxPlaces() {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const usual = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
  return [...folders, ...usual].flatMap((folder) => commandNames.map((name) => join(folder, name)));
}

function macPlaces() {
  const folders = ['/Applications', join(homedir(), 'Applications')];
  return folders.flatMap((folder) =>
    macApps.map((app) => join(folder, `${app}.app`, 'Contents', 'MacOS', app)),
  );
}

function windowsPlaces() {
  const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map(
    (name) => process.env[name],
  );
  const programs = ['Google/Chrome/Application/chrome.exe', 'Chromium/Application/chrome.exe'];
  return folders.flatMap((folder) => (folder ? programs.map((path) => join(folder, path)) : []));
}

function usualPlaces() {
  if (process.platform === 'darwin') return [...macPlaces(), ...linuxPlaces()];
  return process.platform === 'win32' ? windowsPlaces() : linuxPlaces();
}

/**
 * The path of a Chromium or Chrome: `CHROME_PATH` when set, else the first of the usual places.
 * Throws when `CHROME_PATH` names no file, rather than quietly testing with another browser.
 * @returns {string | undefined}
 */
export function findChromium() {
  const chosen = process.env['CHROME_PATH'];
  if (!chosen) return usualPlaces().find(isFile);
  if (isFile(chosen)) return chosen;
  throw new Error(
    `CHROME_PATH is ${JSON.stringify(chosen)}, but no such file exists. ` +
      'Point it at a Chromium or Chrome executable, or unset it.',
  );
}

const canInstall = () => isRoot() && existsSync('/usr/bin/apt-get');

/** @param {string[]} args */
async function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output } = await run('apt-get', args, { capture: true, env });
  if (code !== 0)
    throw new Error(`${output}\napt-get ${args.join(' ')} failed (exit code ${code}).`);
}

async function installChromium() {
  // Another process may have done it, while this one waited for it.
  if (findChromium()) return;
  console.log('Installing the package chromium with apt-get …');
  await aptGet(['update']);
  await aptGet(['install', '-y', '--no-install-recommends', 'chromium']);
}

const howToGetOne =
  'Found no Chromium or Chrome. Install one (Debian: "apt-get install chromium"; macOS: ' +
  '"brew install --cask google-chrome"; Windows: https://www.google.com/chrome/), ' +
  'or set CHROME_PATH to the executable of one.';

/**
 * Like `findChromium`, but where none is found and this is root on Debian or Ubuntu, installs the
 * package `chromium` first. Throws with what to do when there is still none.
 * @returns {Promise<string>}
 */
async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (canInstall()) await withLock('chromium', installChromium);
  const installed = findChromium();
  if (!installed) throw new Error(howToGetOne);
  return installed;
}

/** Flags for a quiet headless browser: no GPU, no first-run pages, no traffic of its own. */
export const launchFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium refuses to run its sandbox as root.
  ...(isRoot() ? ['--no-sandbox'] : []),
];

/** Like `ensureChromium`, but ends the process with the message alone when there is none. */
export async function requireChromium() {
  try {
    return await ensureChromium();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  }
}
