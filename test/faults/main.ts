/** The page of `npm run test:faults`; the tests beside it call these. */
export {
  close,
  countListChanges,
  endWorker,
  open,
  reports,
  tryToOpen,
  watchList,
  whenReported,
} from './page/opened.js';
export { callWithoutEnd, countFound, whenTidy } from './page/mixed-load.js';
export {
  compareLargeFiles,
  exportAndImport,
  filesOfEverySize,
  writeLargeFiles,
} from './page/large-files.js';
export { readEverything } from './page/everything.js';
export { acknowledgedTitles, beginWriting, endWriting, writeWithoutEnd } from './page/reloaded.js';
export { terminateWorkers } from './page/terminated.js';
export {
  clear,
  deleteNamed,
  keepFromEviction,
  readNames,
  whenRoomIsKept,
  writeAgain,
  writeUntilFull,
} from './page/no-room.js';
export { addLines, createSharedNote, lineOf, readSharedNote } from './page/shared-note.js';
export { makeLargeDatabase } from '../support/large-database.js';
export { deleteDatabaseOfOthers, holdOldDatabase } from './page/old-tab.js';
export {
  readEach,
  searchTitles,
  verifyFile,
  writeOneMore,
  writeSmallAndLarge,
} from './page/reading-damaged.js';
export { callSynced, openSynced, readSynced, syncNow, syncStatus } from './page/synced.js';
