import { msg, str } from '@lit/localize';
import { formatError, formatNumber, joinFacts } from '../../base/text/format.js';
import { codeOf } from '../../reading/gate.js';
import type { DeviceSyncStatus } from './device-sync.js';

/** The bounds of a passphrase, in characters. */
const PASSPHRASE_LENGTHS = [12, 1_024] as const;

/** The state as a short text. It changes only when the state does, because it is announced. */
export function stateInWords({ state, unsynced, unfetched, refused }: DeviceSyncStatus): string {
  switch (state) {
    case 'off':
      return msg('This device does not sync', { id: 'mcp.sync.off' });
    case 'paused':
      return msg('Paused', { id: 'mcp.sync.paused' });
    case 'waiting':
      return msg('Waiting', { id: 'mcp.sync.waiting' });
    case 'locked':
      return msg('Locked: the passphrase is needed', { id: 'mcp.sync.locked' });
    default:
      if (unsynced > 0) return msg('Sending changes', { id: 'mcp.sync.sending' });
      if (unfetched > 0) return msg('Fetching files', { id: 'mcp.sync.fetching' });
      if (state === 'syncing') return msg('Looking for changes', { id: 'mcp.sync.looking' });
      return Object.keys(refused).length > 0
        ? msg('Not everything could be synced', { id: 'mcp.sync.incomplete' })
        : msg('Everything is the same on all devices', { id: 'mcp.sync.idle' });
  }
}

/** The amount of work that is left, as a text; empty without any. */
export function amountsInWords({ unsynced, unfetched }: DeviceSyncStatus): string {
  const [changes, files] = [formatNumber(unsynced), formatNumber(unfetched)];
  return joinFacts([
    unsynced > 0 ? msg(str`Changes to send: ${changes}`, { id: 'mcp.sync.unsynced' }) : '',
    unfetched > 0 ? msg(str`Files to fetch: ${files}`, { id: 'mcp.sync.unfetched' }) : '',
  ]);
}

/** The reason why it waits, and the records that cannot be used, in one or two sentences each. */
export function remarksInWords({ state, reason, refused }: DeviceSyncStatus): string[] {
  const remarks: string[] = [];
  if (state === 'waiting') {
    const why = problemInWords({ code: reason });
    remarks.push(msg(str`${why} It is retried automatically.`, { id: 'mcp.sync.retries' }));
  }
  const count = Object.values(refused).reduce((sum, one) => sum + one, 0);
  const shown = formatNumber(count);
  if (count > 0)
    remarks.push(msg(str`Entries that cannot be used: ${shown}`, { id: 'mcp.sync.refused' }));
  if ((refused['newer'] ?? 0) > 0)
    remarks.push(
      msg('Another device has a later version of this app. Update this one.', {
        id: 'mcp.sync.newer',
      }),
    );
  return remarks;
}

/**
 * The reason why a command has failed: a text for the code of its error, or otherwise the message of the
 * error.
 */
export function problemInWords(error: unknown): string {
  const [least, most] = PASSPHRASE_LENGTHS.map(formatNumber);
  switch (codeOf(error)) {
    case 'missing':
      return msg('Enter a value.', { id: 'mcp.field.required' });
    case 'no-answer':
    case 'timeout':
      return msg('There is no answer. Try again later.', { id: 'mcp.sync.no-answer' });
    case 'weak-passphrase':
      return msg(str`A passphrase has ${least} to ${most} characters.`, { id: 'mcp.sync.weak' });
    case 'wrong-secret':
      return msg('This passphrase or code is wrong.', { id: 'mcp.sync.wrong' });
    case 'damaged':
      return msg('The keys on the server are damaged.', { id: 'mcp.sync.damaged' });
    case 'newer':
      return msg('Another device has a later version of this app. Update this one.', {
        id: 'mcp.sync.newer',
      });
    case 'outdated':
      return msg('The server has older keys than this device, and they are not safe to use.', {
        id: 'mcp.sync.outdated',
      });
    case 'expired':
      return msg(
        'This code has ended, or the clock of one device is wrong. Make a new code on the other device.',
        { id: 'mcp.sync.expired' },
      );
    case 'exhausted':
      return msg('The keys have changed too often. Let all devices leave, and begin anew.', {
        id: 'mcp.sync.exhausted',
      });
    case 'conflict':
      return msg('Another device or tab has changed something at the same time. Try again.', {
        id: 'mcp.sync.conflict',
      });
    case 'unavailable':
      return msg('The server cannot be reached.', { id: 'mcp.sync.unavailable' });
    case 'unauthorized':
      return msg('The server does not allow it. You may have to sign in again.', {
        id: 'mcp.sync.unauthorized',
      });
    case 'full':
      return msg('The server has no more room for you.', { id: 'mcp.sync.full' });
    case 'invalid':
      return msg('The answer of the server is not valid.', { id: 'mcp.sync.invalid' });
    case 'storage':
      return msg('This browser cannot read or write what it stores.', { id: 'mcp.sync.storage' });
    default:
      return formatError(error);
  }
}

const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /Edg/],
  ['Opera', /OPR/],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrom|CriOS/],
  ['Safari', /Safari/],
];

const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/** A name for this device, such as `Chrome on Linux`. */
export function suggestDeviceName(userAgent: string = navigator.userAgent): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0],
  );
  if (browser && system) return msg(str`${browser} on ${system}`, { id: 'mcp.sync.on' });
  return browser ?? system ?? msg('This device', { id: 'mcp.sync.this-device' });
}
