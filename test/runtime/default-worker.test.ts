import { expect } from '@esm-bundle/chai';
import { freshDatabaseName } from '../support/database.js';

/** What test/fixtures/trusted-types.ts reports. */
interface StartReport {
  outcome: 'started' | { code: string; message: string; hint: string };
  violations: string[];
}

const REQUIRED = "require-trusted-types-for 'script'";

/** In every browser, what the runtime says of a script that could not be loaded. */
const NOT_LOADED = 'could not be loaded';

/**
 * Starts the runtime, twice, in a document with the policy. Again if a script could not be loaded: beside
 * other tests, Chromium (156) sometimes cancels the load of a worker's script in a frame that was just
 * made, after the whole response has come from its cache. No policy has to do with that.
 */
async function startUnder(
  policy: string,
  worker: 'default' | 'app' = 'default',
): Promise<StartReport> {
  const report = await startOnceUnder(policy, worker);
  const { outcome } = report;
  const isCancelled = typeof outcome === 'object' && outcome.message.includes(NOT_LOADED);
  return isCancelled ? await startOnceUnder(policy, worker) : report;
}

async function startOnceUnder(policy: string, worker: 'default' | 'app'): Promise<StartReport> {
  const frame = document.createElement('iframe');
  frame.srcdoc =
    `<meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<title>${freshDatabaseName()}</title>` +
    `<script type="module" src="/test/fixtures/trusted-types.ts?${worker}"></script>`;
  const report = new Promise<StartReport>((resolve) => {
    window.addEventListener('message', function onMessage({ source, data }) {
      if (source !== frame.contentWindow) return;
      window.removeEventListener('message', onMessage);
      resolve(data as StartReport);
    });
  });
  document.body.append(frame);
  const result = await report;
  frame.remove();
  return result;
}

const started: StartReport = { outcome: 'started', violations: [] };

describe('the default worker and Trusted Types', () => {
  it('starts where they are required, as often as it is wanted', async () => {
    expect(await startUnder(REQUIRED)).to.deep.equal(started);
  });

  it('needs no name but inpage-mcp, and that once', async () => {
    expect(await startUnder(`${REQUIRED}; trusted-types inpage-mcp`)).to.deep.equal(started);
  });

  it('says why it does not start where its policy is refused', async () => {
    const { outcome } = await startUnder(`${REQUIRED}; trusted-types another`);
    expect(outcome).to.have.property('code', 'worker-failed');
    expect(outcome)
      .to.have.property('hint')
      // Firefox says "Sink type mismatch".
      .that.matches(/TrustedScriptURL|Sink type/)
      .and.contains('require-trusted-types-for');
  });

  it('starts where only the names of policies are restricted, though the page is notified', async () => {
    const violations = ['trusted-types', 'trusted-types'];
    const report = await startUnder('trusted-types another');
    expect(report).to.deep.equal({ outcome: 'started', violations });
  });

  it('is not needed: a worker made through a policy of the app’s own is taken', async () => {
    const policy = `${REQUIRED}; trusted-types app`;
    expect(await startUnder(policy, 'app')).to.deep.equal(started);
  });
});
