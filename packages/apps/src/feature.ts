/**
 * The script that the worker imports for the apps of the notes; see `runtime.addFeature`. Built into one
 * self-contained `dist/feature.js`, with the HTML of the app.
 */
import html from '../dist/notes.html';
import { noteApps } from './note-apps.js';

Object.assign(globalThis, { 'inpage-mcp: feature': noteApps(html) });
