/** The address of all folders of the disk that a server of this project has mounted. */
export const DISK = 'disk:///';

/** Whether an address is on the disk. */
export function isOnDisk(uri: string | undefined): boolean {
  return uri?.startsWith(DISK) === true;
}

/** Whether an address is that of a folder of the disk, or of a part of one. */
export function isDiskFolder(uri: string): boolean {
  return isOnDisk(uri) && /\/(?:\?from=\d+)?$/.test(uri);
}
