import { chai } from '@open-wc/testing';
import { chaiA11yAxe } from 'chai-a11y-axe';
import { findingsOf, type Results } from './axe-findings.mjs';

interface Axe {
  run(element: Element, options: object): Promise<Results>;
}

/** A part of what axe says, with the element that it says it of. */
interface Found {
  element?: Element;
}

type Accessible = (this: Chai.AssertionStatic, ...args: unknown[]) => PromiseLike<void>;

// A plugin is used once. In which order the chunks of a bundle run is up to the bundler: used later, this
// one would replace what follows.
chai.use(chaiA11yAxe as Chai.ChaiPlugin);

// `to.be.accessible()` looks at violations alone. This looks at what axe could not decide, too, in the same run:
// the plugin's own only loads axe, because each takes longer than most of a test.
chai.use(({ Assertion }, { overwriteMethod }) => {
  overwriteMethod(Assertion.prototype, 'accessible', (accessible: Accessible) => {
    return async function accessibleAndDecided(this: Chai.AssertionStatic, ...args: unknown[]) {
      const element = this._obj as Element;
      if (!('axe' in window)) await accessible.apply(this, args);
      const { axe } = window as unknown as { axe: Axe };
      const options = { resultTypes: ['violations', 'incomplete'], elementRef: true };
      const { violations, incomplete } = await axe.run(element, options);
      const drawn = incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter(isDrawn) }));
      const findings = findingsOf({ violations, incomplete: drawn });
      if (findings.length > 0) chai.assert.fail(findings.join('\n'));
    };
  });
});

/** What is far out of sight has no place and no colour yet that axe could look at. */
function isDrawn({ element }: Found): boolean {
  return (
    !element || (element.checkVisibility({ contentVisibilityAuto: true }) && !isFarAway(element))
  );
}

/**
 * Whether it is drawn for its focus alone: in WebKit (2.50) axe sees parts that are not drawn lie over it, in
 * places where they were before.
 */
function isFarAway(element: Element): boolean {
  const skipped = element.closest<HTMLElement>('.portion');
  if (!skipped || getComputedStyle(skipped).contentVisibility !== 'auto') return false;
  const { top, bottom } = skipped.getBoundingClientRect();
  return top > innerHeight || bottom < 0;
}
