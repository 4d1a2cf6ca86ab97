import { DISK_KEY } from '../resources/disk/disk-types.js';
import { createDisk } from './create-disk.js';

/** Leaves the function for the worker that has imported this script; see `LazyDisk.load`. */
Object.assign(globalThis, { [DISK_KEY]: createDisk });
