/**
 * Media types by the first bytes. A module of its own, loaded only if the name of a file gives no
 * type: creating the tables would delay the start.
 */
export { filetypemime } from 'magic-bytes.js';
