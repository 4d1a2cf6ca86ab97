// `npm run bench:lighthouse`: what Lighthouse says of the built demo, on its slow telephone and on a desk;
// the median of some runs beside the goal, as a table and as JSON. Its figures need a machine that does nothing
// else. Lighthouse is fetched from npm for this: it is larger than all that is needed otherwise.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium, launchFlags } from '../scripts/browsers/chromium.mjs';
import { inRoot } from '../scripts/project/project.mjs';
import { serveFolder } from '../scripts/serving/static-server.mjs';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const GOAL = 100;
const RUNS = 5;

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-lighthouse-'));
// As static hosts serve it.
const server = await serveFolder(inRoot('demo/dist'), {
  basePath: '/some/sub-path/',
  isCompressed: true,
});

/** The options for each of its forms. */
const FORMS = { telephone: [], desk: ['--preset=desktop'] };

/**
 * Scores from 0 to 100 by category, and what the performance is made of.
 * @param {string[]} form
 * @returns {Promise<{ scores: Record<string, number>, blockedMs: number, paintMs: number }>}
 */
async function measure(form) {
  const path = join(folder, 'report.json');
  const options = [
    '--quiet',
    '--output=json',
    `--output-path=${path}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    `--chrome-flags=${['--headless=new', ...launchFlags].join(' ')}`,
    ...form,
  ];
  const command = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse'];
  await run('npm', [...command, server.url, ...options], {
    env: { ...process.env, CHROME_PATH: findChromium() ?? '' },
  });
  const { categories, audits } = JSON.parse(await readFile(path, 'utf8'));
  return {
    scores: Object.fromEntries(CATEGORIES.map((name) => [name, categories[name].score * 100])),
    blockedMs: audits['total-blocking-time'].numericValue,
    paintMs: audits['largest-contentful-paint'].numericValue,
  };
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

for (const [form, options] of Object.entries(FORMS)) {
  const reports = [];
  for (let count = 0; count < RUNS; count += 1) reports.push(await measure(options));
  const figures = CATEGORIES.map((category) => {
    const values = reports.map(({ scores }) => Math.round(scores[category] ?? NaN));
    return { what: category, value: median(values), goal: GOAL, values };
  });
  console.log(`On a ${form}:`);
  for (const { what, value, goal, values } of figures) {
    const under = value < goal ? ', under its goal' : '';
    console.log(`${what.padEnd(16)} ${value} of ${goal}${under} (${values.join(', ')})`);
  }
  const blockedMs = Math.round(median(reports.map((report) => report.blockedMs)));
  const paintMs = Math.round(median(reports.map((report) => report.paintMs)));
  console.log(`total blocking time ${blockedMs} ms, largest paint ${paintMs} ms`);
  console.log(JSON.stringify({ form, figures, blockedMs, paintMs }));
}
await server.close();
await rm(folder, { recursive: true });
