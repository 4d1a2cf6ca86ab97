import type { DevicePayload, Payload } from '../keys/payload.js';
import type { Remote, RemoteChange } from '../remotes/remote.js';
import { counterAfter } from './entries.js';
import { MAX_DEVICES, type Device, type SyncState } from './sync-state.js';
import type { Transfer } from './transfer.js';

/** The interval at which a device reports that it is in use, in milliseconds. */
const HELLO_INTERVAL_MS = 86_400_000;

/** The parts of its engine that a list of devices needs. */
export interface DeviceListParts {
  remote: Remote;
  transfer: Transfer;
  now: () => number;
  state: () => SyncState;
  save: (change: Partial<SyncState>) => Promise<void>;
  /** Checks the key ring, and writes it again if it is lost. Throws if there is a newer key. */
  restoreRing: (signal: AbortSignal) => Promise<void>;
  /** Opens a record; `undefined` if it cannot be used. */
  open: (
    record: Pick<RemoteChange, 'name' | 'bytes'>,
    signal: AbortSignal,
  ) => Promise<Payload | undefined>;
}

/** The devices of a vault: this one reports that it is in use, and forgets those that were removed. */
export class DeviceList {
  readonly #parts: DeviceListParts;

  constructor(parts: DeviceListParts) {
    this.#parts = parts;
  }

  /** Reports that this device is in use, unless it has done so lately. */
  async sayHelloAgain(signal: AbortSignal): Promise<void> {
    const { device, devices } = this.#parts.state();
    const known = devices.get(device.id);
    const isRecent = known && Math.abs(this.#parts.now() - known.seenAt) < HELLO_INTERVAL_MS;
    if (!isRecent || known.name !== device.name) await this.sayHello(signal);
  }

  /**
   * Reports that this device is in use, even if it was removed before.
   *
   * @throws RemoteError
   */
  async sayHello(signal: AbortSignal): Promise<void> {
    const { remote, transfer, state, open, save } = this.#parts;
    const { device, devices } = state();
    const seenAt = this.#parts.now();
    const name = await transfer.nameOf('device', device.id);
    const record = await remote.get(name, signal);
    const before = record?.bytes ? await open({ name, bytes: record.bytes }, signal) : undefined;
    const counter = counterAfter(before?.counter);
    const payload: DevicePayload = {
      v: 1,
      kind: 'device',
      key: device.id,
      name: device.name,
      seenAt,
      counter,
    };
    await transfer.send(name, payload, record?.version ?? '', signal);
    await save({ devices: new Map(devices).set(device.id, { name: device.name, seenAt }) });
  }

  /**
   * Forgets a device that was removed, whose record is empty.
   *
   * @param name The name of the record.
   * @param devices The devices, from which it is deleted. If it is this one, it is reported again.
   * @throws RecordError `unknown-key` if it is this device, which does not have the newest key.
   */
  async forget(name: string, devices: Map<string, Device>, signal: AbortSignal): Promise<void> {
    const { transfer, restoreRing, state } = this.#parts;
    // The removal of a device begins another key before it empties the record, so a device that has the newest
    // one was let in again since.
    if ((await transfer.nameOf('device', state().device.id)) === name) await restoreRing(signal);
    for (const id of devices.keys())
      if ((await transfer.nameOf('device', id)) === name) devices.delete(id);
  }
}

/** Adds a device that has reported itself, or what it reports now. */
export function noteDevice(
  devices: Map<string, Device>,
  { key, name, seenAt }: DevicePayload,
): void {
  if (devices.has(key) || devices.size < MAX_DEVICES) devices.set(key, { name, seenAt });
}

/** Whether two lists have the same devices, with the same facts. */
export function areSameDevices(
  a: ReadonlyMap<string, Device>,
  b: ReadonlyMap<string, Device>,
): boolean {
  const isThere = ([id, { name, seenAt }]: [string, Device]): boolean => {
    const other = b.get(id);
    return other?.name === name && other.seenAt === seenAt;
  };
  return a.size === b.size && [...a].every(isThere);
}
