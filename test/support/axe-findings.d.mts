// For the tests that run in the browser, which are TypeScript; Node's find the types in the JSDoc.
interface Rule {
  id: string;
  nodes: object[];
}

export interface Results {
  violations: Rule[];
  incomplete: Rule[];
}

/** All that a test has to fail for, in words. */
export function findingsOf(results: Results): string[];
