// Where Chromium keeps what in a profile, for tests that damage it while the browser does not run.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('../support/browsers/killable-browser.mjs').KillableBrowser} KillableBrowser */

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/**
 * Damages the value that holds some letters. LevelDB has a file for each large one, which is deleted;
 * SQLite has it in the database, where a byte is flipped.
 * @param {KillableBrowser} browser
 * @param {string} letters
 */
export function damageValue({ backend, databaseFolder }, letters) {
  const found = filesIn(databaseFolder).filter((path) => readFileSync(path).includes(letters));
  assert.equal(found.length, 1, `${letters} is in ${found.join(', ')}.`);
  const [path = ''] = found;
  if (backend === 'leveldb') {
    assert.ok(path.includes('.indexeddb.blob'), `${path} is no file of one value.`);
    rmSync(path);
    return;
  }
  const bytes = readFileSync(path);
  bytes.fill(0, bytes.indexOf(letters), bytes.indexOf(letters) + letters.length);
  writeFileSync(path, bytes);
}

/**
 * Damages the record that holds some letters, in the one file that SQLite has.
 * @param {KillableBrowser} browser
 * @param {string} letters
 */
export function damageRecord({ databaseFolder }, letters) {
  const found = filesIn(databaseFolder).filter((path) => readFileSync(path).includes(letters));
  assert.notEqual(found.length, 0, `${letters} is nowhere.`);
  for (const path of found) {
    const bytes = readFileSync(path);
    for (let at = bytes.indexOf(letters); at >= 0; at = bytes.indexOf(letters, at + 1)) {
      // What is before a string says of what type and how long it is: no such record can be read.
      bytes.fill(0xff, at - 12, at);
    }
    writeFileSync(path, bytes);
  }
}

/**
 * Damages what the browser needs to open the database at all. LevelDB then begins anew and says so,
 * SQLite takes a file of zeros for a new one, and never opens one of anything else.
 * @param {KillableBrowser} browser
 * @param {number} [byte] what to overwrite it with
 */
export function damageDatabase({ databaseFolder }, byte = 0) {
  const files = filesIn(databaseFolder).filter((path) => !path.includes('.indexeddb.blob'));
  for (const path of files) writeFileSync(path, Buffer.alloc(statSync(path).size, byte));
}

/**
 * Leaves the beginning of a record at the end of LevelDB's log, as a kill does in the middle of a write.
 * @param {KillableBrowser} browser
 * @param {{ kind: number, length: number, written: number }} record of which kind it would have been (1:
 *   whole, 2: the first part), how long, and how much of it was written, with its header of 7 bytes
 */
export function tearLog({ databaseFolder }, { kind, length, written }) {
  // Where a kill has come between the beginning of a log and the end of the last, there are two.
  const log = filesIn(databaseFolder)
    .filter((path) => path.endsWith('.log'))
    .toSorted()
    .at(-1);
  assert.ok(log, 'There is no log.');
  const record = Buffer.alloc(7 + length, 0x5a);
  record.writeUInt16LE(length, 4);
  record[6] = kind;
  appendFileSync(log, record.subarray(0, written));
}
