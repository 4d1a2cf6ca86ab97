import ignore from 'ignore';

/** Which paths patterns in the syntax of `.gitignore` leave out; those of folders end in a slash. */
export function ignoredPaths(patterns: readonly string[], paths: readonly string[]): boolean[] {
  const rules = ignore({ allowRelativePaths: true }).add(patterns);
  return paths.map((path) => rules.ignores(path));
}
