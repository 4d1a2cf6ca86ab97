// Finds a Chromium or Chrome for the tests and benchmarks, and installs one where that is safe.
// Only Node's own modules: it may run before anything is installed.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { canInstall, installPackages, isRoot } from './debian-packages.mjs';
import { chosenPath, isFile, placesOf } from './programs.mjs';

const commandNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];

const macApps = ['Google Chrome', 'Chromium'];

const linuxPlaces = () => placesOf(commandNames, ['/opt/google/chrome']);

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
 * The path of a Chromium or Chrome: `CHROME_PATH` if it is set, otherwise the first of the usual places.
 * @returns {string | undefined}
 */
export const findChromium = () => chosenPath('CHROME_PATH') ?? usualPlaces().find(isFile);

const howToGetOne =
  'Found no Chromium or Chrome. Install one (Debian: "apt-get install chromium"; macOS: ' +
  '"brew install --cask google-chrome"; Windows: https://www.google.com/chrome/), ' +
  'or set CHROME_PATH to the executable of one.';

const headlessShells = ['chromium-headless-shell', 'chrome-headless-shell'];

const findHeadlessShell = () =>
  chosenPath('HEADLESS_SHELL') ?? placesOf(headlessShells).find(isFile);

/**
 * The headless shell of Chromium. It has no window, which is a third of the work of a tab, but also no
 * back/forward cache, and it shows no PDF. Installed where that is safe, like `ensureChromium`.
 * @returns {Promise<string | undefined>} undefined if it is not installed
 */
export async function ensureHeadlessShell() {
  const isThere = () => findHeadlessShell() !== undefined;
  if (!isThere() && canInstall())
    await installPackages(['chromium-headless-shell'], isThere).catch(() => {});
  return findHeadlessShell();
}

/**
 * Like `findChromium`, but if it finds none and this is root on Debian or Ubuntu, installs the package
 * `chromium` first. If it still finds none, throws an error that says what to do.
 * @returns {Promise<string>}
 */
async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (canInstall()) await installPackages(['chromium'], () => findChromium() !== undefined);
  const installed = findChromium();
  if (!installed) throw new Error(howToGetOne);
  return installed;
}

/**
 * Features of Chromium's own window, which are a third of the cost of a start. The tests do not type
 * addresses.
 */
const pagesOfTheWindow = [
  'AimEnabled',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** A process that is started ahead for any site that may come next. Here it costs a sixth of a short test. */
const aheadOfTime = ['SpareRendererForSitePerProcess'];

/**
 * The features that Playwright (1.65) turns off because they would disturb it; its own flag is replaced by
 * ours.
 */
const disturbing = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

/**
 * Flags for a quiet headless browser: no GPU, no first-run pages, no traffic of its own.
 * @param {string[]} [withoutFeatures] more features to turn off: of several such flags, only the last one
 *   counts
 */
export const launchFlagsWithout = (withoutFeatures = []) => [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The headless shell has a process for each site only if it is told.
  '--site-per-process',
  `--disable-features=${[...pagesOfTheWindow, ...aheadOfTime, ...disturbing, ...withoutFeatures].join(',')}`,
  // Chromium refuses to run its sandbox as root.
  ...(isRoot() ? ['--no-sandbox'] : []),
];

export const launchFlags = launchFlagsWithout();

/** Like `ensureChromium`, but if it finds none, prints only the message and ends the process. */
export async function requireChromium() {
  try {
    return await ensureChromium();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  }
}

/** Like `requireChromium`, for pages that need no window: the shell that `HEADLESS_SHELL` names. */
export const requireShellOrChromium = async () =>
  chosenPath('HEADLESS_SHELL') ?? (await requireChromium());
