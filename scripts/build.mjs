// `npm run build`: the packages with their declarations, the worker's bundle, and the demo.
import { rm } from 'node:fs/promises';
import { writeLoaders } from './elements/loaders.mjs';
import { inRoot, isMain, packageNames } from './project/project.mjs';
import { inNodeModules, runNode } from './project/run.mjs';
import { setUp } from './setup.mjs';

// The root project is not built here, so that neither a build nor a test against it waits for the types of
// the tests.
const projects = [
  ...packageNames.map((name) => `packages/${name}`),
  'packages/runtime/tsconfig.worker.json',
  'packages/apps/tsconfig.feature.json',
  'packages/apps/tsconfig.notes.json',
];

/** Whether `.ci/run` has built everything already, so that none of its other steps need to. */
const isBuilt = process.env['INPAGE_MCP_IS_BUILT'] === 'true';

/** Compiles the packages and bundles the worker; resolves to false after an error was shown. */
export async function buildPackages() {
  if (isBuilt) return true;
  writeLoaders();
  const { code } = await runNode(inNodeModules('typescript/bin/tsc'), ['--build', ...projects]);
  if (code !== 0) return false;
  const { writeBuildId } = await import('./building/build-id.mjs');
  await writeBuildId();
  const { writeAppFrame } = await import('./building/app-frame.mjs');
  await writeAppFrame();
  const { writeMarkdownBundle } = await import('./building/markdown-bundle.mjs');
  await writeMarkdownBundle();
  const { shortenBuiltStyles } = await import('./building/lean-styles.mjs');
  await shortenBuiltStyles();
  const { writeElementFiles } = await import('./elements/write-element-files.mjs');
  await writeElementFiles();
  if (!(await buildApps())) return false;
  const { writeWorkerBundle } = await import('./building/worker-bundle.mjs');
  const worker = await writeWorkerBundle();
  if (!worker) return false;
  const { writeCdnBundle } = await import('./building/cdn-bundle.mjs');
  await writeCdnBundle(worker);
  return true;
}

/** Builds the apps from the built client and elements, as their command does for others. */
async function buildApps() {
  const [command, entry, out] = ['dist/main.js', 'src/notes/notes.ts', 'dist/notes.html'].map(
    (file) => inRoot('packages/apps', file),
  );
  const args = ['build', String(entry), '--out', String(out), '--title', 'Notes'];
  const { code, output } = await runNode(String(command), args, { capture: true });
  if (code !== 0) {
    console.error(output);
    return false;
  }
  const { writeFeatureBundle } = await import('./building/feature-bundle.mjs');
  await writeFeatureBundle();
  return true;
}

/** Builds the demo into demo/dist, from the built packages, as another app would use them. */
export async function buildDemo() {
  // The demo of an earlier build is for the root of its host.
  if (isBuilt && !process.env['SITE_PATH']) return;
  const { build } = await import('vite');
  await build({ root: inRoot('demo'), logLevel: 'warn' });
}

/**
 * Deletes the old output, because tsc leaves the output of deleted sources, and the packages ship all of
 * dist/.
 */
const cleanPackages = () =>
  Promise.all(
    packageNames.map((name) =>
      rm(inRoot('packages', name, 'dist'), { recursive: true, force: true }),
    ),
  );

if (isMain(import.meta.url)) {
  await setUp();
  await cleanPackages();
  if (!(await buildPackages())) process.exit(1);
  await buildDemo();
  console.log('Built packages/*/dist and demo/dist.');
}
