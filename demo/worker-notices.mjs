// The licences of the packages that are bundled into the demo's own workers, because `build.license` of vite
// includes only the page.
import { relative } from 'node:path';
import { noticesOf } from '../scripts/building/third-party-notices.mjs';
import { root } from '../scripts/project/project.mjs';

/** @returns {import('vite').Plugin} */
export const workerNotices = () => ({
  name: 'worker-notices',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const paths = chunk.moduleIds.map((id) => relative(root, id));
      // Our own worker has a file of its own, from the package.
      const source = noticesOf(paths);
      if (!source) continue;
      const fileName = `assets/${chunk.name}.THIRD-PARTY-NOTICES.txt`;
      this.emitFile({ type: 'asset', fileName, source });
    }
  },
});
