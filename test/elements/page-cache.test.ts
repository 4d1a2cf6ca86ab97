import { expect } from '@esm-bundle/chai';
import { ownOrigin, Tab } from '../scenarios/browser.js';
import { isFirefox } from '../support/engine.js';

/** Puppeteer (25.16) waits for a load, which does not come where Firefox keeps the page. */
describe('<mcp-app> in a page that goes into the back/forward cache and comes back', () => {
  (isFirefox ? it.skip : it)(
    'goes on with its app: changes, calls in both directions, and the question that was asked',
    async () => {
      const tab = await Tab.open(ownOrigin(), 'app-page');
      await tab.call('showApp');
      await tab.call('callApp');
      for (let times = 1; times <= 2; times += 1) {
        await tab.leave();
        expect(await tab.back(), 'why the cache did not keep the page').to.deep.equal([]);
      }
      expect(await tab.call('changeNote')).to.deep.equal({ uri: 'a:note' });
      expect(await tab.call('answerOfApp', 'answered')).to.equal('answered');
      expect(await tab.call('sayYes')).to.deep.equal([{ text: 'asked' }]);
      const events = await tab.call<string[]>('events');
      expect(events.filter((event) => event === 'shown again')).to.have.length(2);
      await tab.close();
    },
  );
});
