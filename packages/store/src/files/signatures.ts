/**
 * Media types by the first bytes. A module of its own, so that it can be loaded when the name of a
 * file says nothing: making the tables would hold up the start.
 */
export { filetypemime } from 'magic-bytes.js';
