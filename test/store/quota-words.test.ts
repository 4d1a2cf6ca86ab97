import { expect } from '@esm-bundle/chai';
import { storeErrorOf, withQuota } from '../../packages/store/src/errors/store-error.js';

describe('the error where there is no room', () => {
  // Held: in WebKit (2.50) an object of the browser that nobody holds loses what was defined on it.
  const { storage } = navigator;
  afterEach(() => Reflect.deleteProperty(storage, 'estimate'));

  for (const [usage, quota, words] of [
    [901_000_000, 1_000_000_000, 'It uses 901.0 MB of 1000.0 MB.'],
    [900_000_000, 1_000_000_000, 'It uses 900.0 MB.'],
    [6_000_000, 10_743_400_000, 'It uses 6.0 MB.'],
  ] as const)
    it(`says “${words}”, whatever the browser says is left`, async () => {
      const estimate = (): Promise<StorageEstimate> => Promise.resolve({ usage, quota });
      Object.defineProperty(storage, 'estimate', { value: estimate, configurable: true });
      const error = await withQuota(storeErrorOf('quota-exceeded'));
      expect(error.message.endsWith(words), error.message).to.equal(true);
      expect(error.quota).to.deep.equal({ usedBytes: usage, quotaBytes: quota });
    });
});
