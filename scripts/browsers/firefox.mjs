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
 * The path of a Firefox: `FIREFOX_PATH` when set, else the first of the usual places.
 * @returns {string | undefined}
 */
export const findFirefox = () => chosenPath('FIREFOX_PATH') ?? usualPlaces().find(isFile);

/**
 * Like `findFirefox`, but where none is found and this is root on Debian, installs the package
 * `firefox-esr` first.
 * @throws with what to do when there is still none
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
 * What is set in a profile of the tests: tabs and dialogs that a page opens are not held back, an
 * element may have the focus in a window that is behind others, and whether storage is to be persistent is answered, with no, where a user would be asked.
 */
export const firefoxPreferences = {
  'dom.disable_open_during_load': false,
  'focusmanager.testmode': true,
  'dom.storageManager.prompt.testing': true,
  'dom.storageManager.prompt.testing.allow': false,
  // Firefox lets a page wait up to a minute for a server that it could not reach before.
  'network.websocket.delay-failed-reconnects': false,
};
