import ignore from 'ignore';

/** Whether patterns in the syntax of `.gitignore` exclude each path; the paths of folders end in a slash. */
export function ignoredPaths(patterns: readonly string[], paths: readonly string[]): boolean[] {
  const rules = ignore({ allowRelativePaths: true }).add(patterns);
  return paths.map((path) => rules.ignores(path));
}
