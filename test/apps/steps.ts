// An app made with the official class of 2.0.4.
import { App } from '@modelcontextprotocol/ext-apps';
import { runSteps, type OfficialApp } from './run-steps.js';

const app = new App(
  { name: 'steps', version: '2.0.0', title: 'Steps' },
  { availableDisplayModes: ['inline', 'fullscreen'] },
);
const anyAnswer = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
};
await runSteps(app as unknown as OfficialApp, anyAnswer);
