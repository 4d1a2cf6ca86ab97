// The frame of MCP Apps: one file that contains its script and styles.
import { readFile, writeFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { inRoot } from '../project/project.mjs';

/**
 * The minimum size of the file: Vite writes shorter files into the script as `data:` addresses, which a
 * page's policy forbids.
 */
const MIN_BYTES = 4_200;

const source = 'packages/client/src/app-host/mcp-app-frame.htm';

/** Writes the file next to the module that finds it by its own address. */
export async function writeAppFrame() {
  await writeFile(inRoot('packages/client/dist/app-host/mcp-app-frame.htm'), await appFrame());
}

/** The file, with its script minified and nothing between its tags. */
export async function appFrame() {
  const html = await readFile(inRoot(source), 'utf8');
  const [, before, script, after] = /^(.*<script>)(.*)(<\/script>.*)$/s.exec(html) ?? [];
  const { code } = await transform(script ?? '', { minify: true, target: 'es2022' });
  const document = `${short(before)}${code.trim()}${short(after)}`;
  return `${document}<!--${' '.repeat(MIN_BYTES - document.length)}-->\n`;
}

const short = (/** @type {string | undefined} */ part = '') =>
  part.replace(/\s*\n\s*/g, '').replaceAll(' />', '>');
