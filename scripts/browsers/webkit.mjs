// Finds WebKitGTK with its driver for the tests, and installs them where that is safe.
import { existsSync, readdirSync } from 'node:fs';
import { canInstall, installPackages } from './debian-packages.mjs';
import { isFile, placesOf } from './programs.mjs';

const packages = [
  'webkit2gtk-driver',
  'xvfb',
  'xauth',
  'dbus-x11',
  'python3-gi',
  'gir1.2-webkit2-4.1',
];

/** The programs of the packages that are required. */
const programs = ['WebKitWebDriver', 'Xvfb', 'python3'];

/** The folder in which Debian keeps Python's descriptions of the libraries, by the kind of processor. */
const libraries = '/usr/lib';

const hasBindings = () =>
  existsSync(libraries) &&
  readdirSync(libraries).some((folder) =>
    existsSync(`${libraries}/${folder}/girepository-1.0/WebKit2-4.1.typelib`),
  );

/** @param {string} name */
const isThere = (name) => placesOf([name]).some(isFile);

const hasWebKit = () => programs.every(isThere) && hasBindings();

/**
 * Makes sure that they are installed.
 * @throws an error that says what to do, if they are not
 */
export async function ensureWebKit() {
  if (!hasWebKit() && canInstall()) await installPackages(packages, hasWebKit);
  if (hasWebKit()) return;
  throw new Error(
    `Found no WebKitGTK with its driver, which there is for Linux only. Debian: "apt-get install ${packages.join(' ')}".`,
  );
}
