// Finds code that makes a test depend on how busy the machine is, instead of on the tested behaviour. For
// `npm run check`.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { inRoot, root } from '../project/project.mjs';

/** The beginning of a comment that explains why a line needs such code. */
const EXEMPTION = '// timed:';

const kinds = [
  {
    // A timeout without a delay only begins another task.
    pattern: /\bsetTimeout\((?!\w+\))|\bdelay\(|\bsleep\([A-Z\d]|waitForTimeout/,
    reason:
      'Time passes only when the test says so (test/support/fake-timers.ts). To wait for something, use an event or eventually(); to prove that nothing comes, wait for something that comes after it (arrived()).',
  },
  {
    pattern: /\bwhile \(.*\bawait\b/,
    reason: 'A wait needs an end, and words that say what did not come: use eventually().',
  },
  {
    pattern: /\blisten\(\s*[1-9]|\bport: [1-9]\d{3}/,
    reason: 'Another program may have the port: listen on 0, and read the port of the system.',
  },
  {
    pattern: /\b(expect|assert)\b.*\bperformance\.now\(\)(?!.*(at\.least|above| > ))/,
    reason:
      'The clock also counts what others do to the machine: count calls, or measure the thread (test/support/slowness.ts). A bound from below is no problem.',
  },
];

const files = execFileSync('git', ['ls-files', 'test'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.test\.(ts|mjs)$/.test(file));

const found = files.flatMap((file) => {
  const lines = readFileSync(inRoot(file), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const isExempt = [line, lines[index - 1] ?? ''].some((one) => one.includes(EXEMPTION));
    const kind = isExempt ? undefined : kinds.find(({ pattern }) => pattern.test(line));
    return kind ? [`${file}:${index + 1}: ${line.trim()}\n  ${kind.reason}`] : [];
  });
});
for (const problem of found) console.log(problem);
process.exitCode = found.length > 0 ? 1 : 0;
