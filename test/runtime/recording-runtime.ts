import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { MortalWorkers } from './mortal-workers.js';
import { WorkerProbe } from './worker-probe.js';

/** A runtime whose worker records what it is asked for, and can be killed. */
export interface RecordingRuntime {
  readonly databaseName: string;
  readonly workers: MortalWorkers;
  readonly probe: WorkerProbe;
  readonly runtime: Runtime;
}

/** A fresh one for each test of the suite that calls this. */
export function useRecordingRuntime(): RecordingRuntime {
  let databaseName: string;
  let workers: MortalWorkers;
  let probe: WorkerProbe;
  let runtime: Runtime;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    probe = new WorkerProbe();
    runtime = await startRuntime({ databaseName, worker: workers.recorder(probe.name) });
  });

  afterEach(async () => {
    probe.close();
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
    get probe() {
      return probe;
    },
    get runtime() {
      return runtime;
    },
  };
}
