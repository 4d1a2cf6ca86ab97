import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { MortalWorkers } from './mortal-workers.js';
import { Told } from './told.js';

/** A runtime whose worker tells what it is asked for, and can be killed. */
export interface TellingRuntime {
  readonly databaseName: string;
  readonly workers: MortalWorkers;
  readonly told: Told;
  readonly runtime: Runtime;
}

/** A fresh one for each test of the suite that calls this. */
export function useTellingRuntime(): TellingRuntime {
  let databaseName: string;
  let workers: MortalWorkers;
  let told: Told;
  let runtime: Runtime;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    told = new Told();
    runtime = await startRuntime({ databaseName, worker: workers.telling(told.name) });
  });

  afterEach(async () => {
    told.close();
    await runtime.close();
    await workers.deleteDatabase(databaseName);
  });

  return {
    get databaseName() {
      return databaseName;
    },
    get workers() {
      return workers;
    },
    get told() {
      return told;
    },
    get runtime() {
      return runtime;
    },
  };
}
