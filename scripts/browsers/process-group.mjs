// Processes that a first one has started, all of which can be killed at once.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Kills every process at once, as a crash or the system does, so that none can close its connections.
 * @param {number} group the number of its first process
 */
export function killGroup(group) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The processes have ended.
  }
}

/** @param {number} group the number of its first process */
export async function groupEnded(group) {
  while (isAlive(group)) await sleep(5);
}

/** @param {number} group */
function isAlive(group) {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  // Some systems take seconds to remove ended processes that no parent waits for. Outside of Linux, this
  // cannot be checked more closely.
  if (process.platform !== 'linux') return true;
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.some((id) => isAliveIn(group, id));
}

/**
 * Whether a process has a running thread: an ended process has closed its files.
 * @param {number} group
 * @param {string} id of a process
 */
function isAliveIn(group, id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The state comes after the name, which may have any characters.
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(itsGroup) !== group) return false;
    return state !== 'Z' || readdirSync(`/proc/${id}/task`).length > 1;
  } catch {
    return false;
  }
}
