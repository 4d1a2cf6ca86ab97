// What `npm run conformance` prints of a run.

/**
 * @typedef {import('./suite-run.mjs').Scenario} Scenario
 *
 * @typedef {object} RunFacts
 * @property {string} title
 * @property {string[]} requiredNames
 * @property {number} seconds
 */

/**
 * @param {Scenario[]} scenarios
 * @param {RunFacts} facts
 * @returns {Scenario[]} those that are required; one without a result has failed
 */
export function printRun(scenarios, { title, requiredNames, seconds }) {
  const missing = { passed: false, problems: ['The suite has no result of it.'] };
  const required = requiredNames.map(
    (name) => scenarios.find((scenario) => scenario.name === name) ?? { name, ...missing },
  );
  const others = scenarios.filter(({ name }) => !requiredNames.includes(name));
  const counts = `${countOf(required)} required, ${countOf(others)} others`;
  console.log(`${title}: ${counts}, in ${seconds.toFixed(1)} s`);
  for (const { name, problems } of failedOf(required)) {
    console.log(`  FAILED  ${name}`);
    for (const problem of problems) console.log(`          ${problem}`);
  }
  const names = failedOf(others).map(({ name }) => name);
  if (names.length > 0) console.log(`  others that did not pass: ${names.join(', ')}`);
  return required;
}

/** @param {Scenario[]} scenarios */
const failedOf = (scenarios) => scenarios.filter(({ passed }) => !passed);

/** @param {Scenario[]} scenarios */
const countOf = (scenarios) =>
  `${scenarios.length - failedOf(scenarios).length}/${scenarios.length}`;
