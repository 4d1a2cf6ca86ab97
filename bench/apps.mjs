// `npm run bench:apps`: what each side of an MCP App weighs, beside the official classes, in bytes of gzip.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { appFrame } from '../scripts/building/app-frame.mjs';
import { inRoot } from '../scripts/project/project.mjs';

const FORM_AND_APP = `import '@inpage-mcp/elements/define/mcp-tool-form'; import '@inpage-mcp/elements/define/mcp-app'`;

/** With what is loaded later, except what the last member names. @type {[name: string, code: string, later?: string][]} */
const parts = [
  ['official App 2.0.4', `export { App } from '@modelcontextprotocol/ext-apps'`],
  ['official App 1.7.5', `export { App } from 'ext-apps-1'`],
  [
    'official AppBridge 2.0.4',
    `export { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'`,
  ],
  [
    'official AppBridge 1.7.5',
    `export { AppBridge, PostMessageTransport } from 'ext-apps-1/app-bridge'`,
  ],
  ['client', `export { connectClient } from '@inpage-mcp/client'`],
  ['app, with its client', `export { connectToHost } from '@inpage-mcp/client/app'`],
  [
    'app and client',
    `export { connectToHost } from '@inpage-mcp/client/app'; export { connectClient } from '@inpage-mcp/client'`,
  ],
  [
    'host',
    `export { AppSession, AppFrame, readApp, framePolicy } from '@inpage-mcp/client/app-host'`,
  ],
  [
    'host and client',
    `export { AppSession, AppFrame, readApp, framePolicy } from '@inpage-mcp/client/app-host'; export { connectClient } from '@inpage-mcp/client'`,
  ],
  ['tool form', `import '@inpage-mcp/elements/define/mcp-tool-form'`],
  ['tool form and <mcp-app>', FORM_AND_APP],
  ['the same, before an app', FORM_AND_APP, '*/running-app.js'],
];

/** @param {string} code @param {string} [later] */
async function bytesOf(code, later) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: inRoot('test'), loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    conditions: ['source', 'browser'],
    tsconfig: inRoot('tsconfig.base.json'),
    ...(later && { external: [later] }),
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

for (const [name, ...part] of parts) console.log(name.padEnd(28), await bytesOf(...part));
console.log('frame'.padEnd(28), gzipSync(await appFrame(), { level: 9 }).length);
