/** A device of the user. */
export interface SyncedDevice {
  /** The id, which `removeDevice()` takes. */
  id: string;
  /** The name, as its user wrote it: any characters, of any length. */
  name: string;
  /** The time of its last write, in milliseconds since 1970, by its own clock. */
  seenAt: number;
}

/** An entry that two devices have changed in the same place. */
export interface SyncConflict {
  /** The address of the entry: `note:///ID` or `file:///PATH`. */
  uri: string;
  /** The address of the other version, if it is not in the same entry. */
  copyUri?: string | undefined;
  /** The time when it was found, in milliseconds since 1970. */
  at: number;
}

/** The status of the sync of this device. */
export interface DeviceSyncStatus {
  /**
   * The state:
   *
   * - `off`: this device has not joined
   * - `paused`: the user has paused it
   * - `syncing`: it receives or sends changes
   * - `idle`: everything is the same as on the server, as far as it knows
   * - `waiting`: it failed, and tries again later
   * - `locked`: another device has changed the keys, and the passphrase is needed
   */
  state: 'off' | 'paused' | 'syncing' | 'idle' | 'waiting' | 'locked';
  /** The code of the reason why it waits, such as `unavailable`, `unauthorized`, `full` or `storage`. */
  reason?: string | undefined;
  /** The number of entries that are still to be sent. */
  unsynced: number;
  /** The number of files that are still to be fetched. */
  unfetched: number;
  /** The time when everything was last the same, in milliseconds since 1970; 0 before the first time. */
  syncedAt: number;
  /** The number of records of the server that cannot be used, by the reason. */
  refused: Readonly<Record<string, number>>;
  /** The id of this device among the devices. */
  device?: string | undefined;
  /** All devices that have joined, including this one; in any order. */
  devices: readonly SyncedDevice[];
  /** The changes that two devices have made in the same place. */
  conflicts: readonly SyncConflict[];
}

/**
 * The sync of this device with the other devices of the user; `runtime.sync()` of `@inpage-mcp/runtime` is
 * one. Dispatches the event `status` after each change of its status. Calls reject with errors whose `code`
 * is the reason, such as `wrong-secret`, `weak-passphrase` or `unavailable`.
 */
export interface DeviceSync extends EventTarget {
  /** The current status of the sync: another object after each change. */
  readonly status: DeviceSyncStatus;
  /**
   * Joins the devices of the user, or becomes the first of them.
   *
   * @param options.secret The passphrase, a recovery code, or the code of an invitation.
   * @param options.deviceName At most 100 characters, in one line.
   * @returns The recovery code; only for the first device.
   */
  join(options: {
    secret: string;
    deviceName: string;
  }): Promise<{ recoveryCode?: string | undefined }>;
  /** Continues with the keys that another device has changed: with the passphrase or a recovery code. */
  unlock(secret: string): Promise<void>;
  /** Makes a code with which another device can join within ten minutes. */
  invite(passphrase: string): Promise<string>;
  /** Removes another device, and ends the recovery code. Returns the new one. */
  removeDevice(id: string, passphrase: string): Promise<string>;
  /** Sends and receives nothing until `resume()`. */
  pause(): Promise<void>;
  /** Ends a pause. */
  resume(): Promise<void>;
  /** Compares with the server at once. */
  syncNow(): void;
  /** Leaves the sync. Notes and files stay, here and on the other devices. */
  leave(): Promise<void>;
}
