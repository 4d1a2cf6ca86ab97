// Finds a Firefox for the tests, and installs one where that is safe.
import { join } from 'node:path';
import { canInstall, installPackages } from './debian-packages.mjs';
import { chosenPath, isFile, placesOf } from './programs.mjs';

function usualPlaces() {
  const mac = '/Applications/Firefox.app/Contents/MacOS/firefox';
  const windows = join(process.env['PROGRAMFILES'] ?? '', 'Mozilla Firefox/firefox.exe');
  return [...placesOf(['firefox-esr', 'firefox']), mac, windows];
}

/**
 * The path of a Firefox: `FIREFOX_PATH` if it is set, otherwise the first of the usual places.
 * @returns {string | undefined}
 */
export const findFirefox = () => chosenPath('FIREFOX_PATH') ?? usualPlaces().find(isFile);

/**
 * Like `findFirefox`, but if it finds none and this is root on Debian, installs the package `firefox-esr`
 * first.
 * @throws an error that says what to do, if it still finds none
 */
export async function ensureFirefox() {
  if (!findFirefox() && canInstall())
    await installPackages(['firefox-esr'], () => findFirefox() !== undefined);
  const found = findFirefox();
  if (found) return found;
  throw new Error(
    'Found no Firefox. Install one (Debian: "apt-get install firefox-esr"), or set FIREFOX_PATH ' +
      'to the executable of one.',
  );
}

/**
 * The preferences in a profile of the tests: Firefox does not block tabs and dialogs that a page opens, lets
 * an element have the focus in a window behind others, and answers the question of persistent storage with
 * no, instead of asking the user.
 */
export const firefoxPreferences = {
  'dom.disable_open_during_load': false,
  'focusmanager.testmode': true,
  'dom.storageManager.prompt.testing': true,
  'dom.storageManager.prompt.testing.allow': false,
  // Firefox delays a new connection to a server that it could not reach before by up to a minute.
  'network.websocket.delay-failed-reconnects': false,
};
