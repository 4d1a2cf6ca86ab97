// The command of the bridge with deadlines that a test passes in; by default, it gives up no page that is busy.
import { runCommand } from '../../packages/bridge/dist/command/run-command.js';

await runCommand(process.argv.slice(2), JSON.parse(process.env['TEST_DEADLINES'] ?? '{}'));
