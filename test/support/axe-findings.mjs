// What axe-core finds, violations and what it could not decide: colours that are equal are among the
// latter, so that nothing of it is passed over unless there is a reason.

/**
 * @typedef {{ data?: { messageKey?: string } | null, message?: string }} Check
 * @typedef {{ target: unknown[], failureSummary?: string, any: Check[], all: Check[], none: Check[] }} Node
 * @typedef {{ id: string, nodes: Node[] }} Rule
 * @typedef {{ violations: Rule[], incomplete: Rule[] }} Results
 */

/**
 * What axe cannot decide by itself, and why that is no fault here.
 * @type {Record<string, string>}
 */
const UNDECIDED = {
  'color-contrast bgOverlap':
    'Another element lies over it, such as a notice or a dialog. Other states are without that.',
  'color-contrast elmPartiallyObscured':
    'It is cut off by the edge of what scrolls, or lies below a notice. Other states are without that.',
  'color-contrast elmPartiallyObscuring':
    'It lies over what does not move for it, such as the lines of files. What is behind it is opaque.',
  'frame-tested':
    'No script runs in the sandbox of hostile HTML, that of axe included. Its content is not ours.',
};

/**
 * All that a test has to fail for, in words.
 * @param {Results} results
 */
export function findingsOf({ violations, incomplete }) {
  const wrong = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${placeOf(node)}: ${node.failureSummary}`),
  );
  const undecided = incomplete.flatMap(({ id, nodes }) =>
    nodes
      .flatMap((node) => checksOf(node).map((check) => ({ node, check })))
      .filter(({ check }) => !(keyOf(id, check) in UNDECIDED))
      .map(({ node, check }) => `${keyOf(id, check)}: ${placeOf(node)}: ${check.message}`),
  );
  return [...wrong, ...undecided];
}

/** @param {Node} node */
const placeOf = ({ target }) => target.flat().join(' ');

/** @param {Node} node */
const checksOf = ({ any, all, none }) => [...any, ...all, ...none];

/**
 * @param {string} rule
 * @param {Check} check
 */
const keyOf = (rule, { data }) => [rule, data?.messageKey].filter(Boolean).join(' ');
