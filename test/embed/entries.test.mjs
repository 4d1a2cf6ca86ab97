// Imports every entry of the packed packages in Node, as a server does that renders a page. The folder
// of the app is in EMBED_FOLDER (scripts/embed.mjs).
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { entriesOf } from '../../scripts/project/package-entries.mjs';
import { run } from '../../scripts/project/run.mjs';

const app = process.env['EMBED_FOLDER'] ?? '';

const packages = resolve(app, 'node_modules/@inpage-mcp');

/** The scripts of a worker: they start the server, and what it loads later. */
const OF_WORKER = ['@inpage-mcp/runtime/worker', '@inpage-mcp/runtime/disk'];

void describe('in Node, without a document', () => {
  for (const name of readdirSync(packages))
    for (const { specifier } of entriesOf(resolve(packages, name)))
      if (!OF_WORKER.includes(specifier))
        void it(`${specifier} can be imported`, async () => {
          const code = `await import('${specifier}');`;
          const args = ['--input-type=module', '--eval', code];
          const options = { cwd: app, capture: true };
          const { code: exitCode, output } = await run(process.execPath, args, options);
          assert.equal(exitCode, 0, output);
        });
});
