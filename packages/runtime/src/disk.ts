/**
 * The script of the folders of the disk, which the worker imports with the first folder. Built into one
 * self-contained `dist/disk.js`.
 */
import '@inpage-mcp/server/disk-script';
