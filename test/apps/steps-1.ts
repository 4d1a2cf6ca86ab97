// The same with the official class of 1.7.5.
import { App } from 'ext-apps-1';
import { z } from 'zod';
import { runSteps, type OfficialApp } from './run-steps.js';

const app = new App({ name: 'steps', version: '1.0.0' }, {});
await runSteps(app as unknown as OfficialApp, z.looseObject({}));
