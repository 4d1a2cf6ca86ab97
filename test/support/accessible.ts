import { chai } from '@open-wc/testing';
import { findingsOf, type Results } from './axe-findings.mjs';

interface Axe {
  run(element: Element, options: object): Promise<Results>;
}

type Accessible = (this: Chai.AssertionStatic, ...args: unknown[]) => PromiseLike<void>;

// `to.be.accessible()` looks at violations alone. This goes on with what axe could not decide.
chai.use(({ Assertion }, { overwriteMethod }) => {
  overwriteMethod(Assertion.prototype, 'accessible', (accessible: Accessible) => {
    return function accessibleAndDecided(this: Chai.AssertionStatic, ...args: unknown[]) {
      const element = this._obj as Element;
      const checked = Promise.resolve(accessible.apply(this, args)).then(async () => {
        const { axe } = window as unknown as { axe: Axe };
        const findings = findingsOf(await axe.run(element, { resultTypes: ['incomplete'] }));
        if (findings.length > 0) chai.assert.fail(findings.join('\n'));
      });
      return checked;
    };
  });
});
