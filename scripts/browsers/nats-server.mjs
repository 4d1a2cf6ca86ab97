// Finds a server of NATS for the tests, and installs one where that is safe.
import { canInstall, installPackages } from './debian-packages.mjs';
import { chosenPath, isFile, placesOf } from './programs.mjs';

/**
 * The path of a nats-server: `NATS_SERVER_PATH` if it is set, otherwise the first of the usual places.
 * @returns {string | undefined}
 */
export const findNatsServer = () =>
  chosenPath('NATS_SERVER_PATH') ?? placesOf(['nats-server'], ['/usr/sbin']).find(isFile);

/** Installs a server if none is installed and this is root on Debian. Without one, its tests are skipped. */
export async function ensureNatsServer() {
  if (!findNatsServer() && canInstall())
    await installPackages(['nats-server'], () => findNatsServer() !== undefined);
  return findNatsServer();
}
