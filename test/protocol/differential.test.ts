import { expect } from '@esm-bundle/chai';
import { REVISIONS, type Revision } from '../support/revisions.js';
import type { Deviation } from './twins/deviation.js';
import type { Members, Transcript } from './twins/outline.js';
import { ownTwin } from './twins/own-twin.js';
import { randomRequests } from './twins/random-requests.js';
import type { RequestCase } from './twins/request.js';
import { requestCases } from './twins/request-cases.js';
import { REQUEST_DEVIATIONS, THE_ID } from './twins/request-deviations.js';
import { sdkTwin } from './twins/sdk-twin.js';
import { TALK_DEVIATIONS } from './twins/talk-deviations.js';
import { talksOf } from './twins/talks/talks.js';
import { TwinClient } from './twins/twin-client.js';
import type { TwinOptions } from './twins/twin.js';

/** Those that were met: one that is met no more has to go. */
const met = new Set<Deviation<never>>();

/** What has to be sent where the SDK has sent this: the same, but for what is listed. */
function expectedOf<Subject>(
  sdk: Transcript,
  deviations: readonly Deviation<Subject>[],
  subject: Subject,
  revision: Revision,
): Transcript {
  const deviation = deviations.find((one) => one.concerns(subject, revision));
  if (!deviation) return sdk;
  const expected = deviation.instead(sdk, subject, revision);
  if (JSON.stringify(expected) !== JSON.stringify(sdk)) met.add(deviation);
  return expected;
}

/** Clients of the two servers, to which the same is said. */
interface Twins {
  own: TwinClient;
  sdk: TwinClient;
}

function connect(revision: Revision, options?: TwinOptions): Twins {
  return {
    own: new TwinClient(ownTwin(options), revision, true),
    sdk: new TwinClient(sdkTwin(options), revision, false),
  };
}

/** The same, with the conversation opened, in which they must not differ. */
async function open(
  revision: Revision,
  capabilities?: Members,
  options?: TwinOptions,
): Promise<Twins> {
  const { own, sdk } = connect(revision, options);
  await own.open(capabilities);
  await sdk.open(capabilities);
  expect(own.takeTranscript()).to.deep.equal(sdk.takeTranscript());
  return { own, sdk };
}

function close({ own, sdk }: Twins): void {
  own.twin.close();
  sdk.twin.close();
}

/** What either server sends for one request. */
async function exchange({ own, sdk }: Twins, { method, params }: RequestCase) {
  const transcriptOf = async (client: TwinClient): Promise<Transcript> => {
    const id = client.send(method, params);
    await client.settled();
    return client.takeTranscript().map((one) => (one.id === id ? { ...one, id: THE_ID } : one));
  };
  return { own: await transcriptOf(own), sdk: await transcriptOf(sdk) };
}

for (const revision of REVISIONS) {
  describe(`the server and that of the SDK, in ${revision}`, () => {
    let twins: Twins;

    for (const [what, cases] of Object.entries(requestCases(revision))) {
      describe(`answer ${what} alike:`, () => {
        before(async () => {
          twins = await open(revision);
        });
        after(() => close(twins));

        for (const request of cases) {
          it(inWords(request), async () => {
            const { own, sdk } = await exchange(twins, request);
            expect(own).to.deep.equal(expectedOf(sdk, REQUEST_DEVIATIONS, request, revision));
          });
        }
      });
    }

    describe('say the same:', () => {
      for (const [name, { capabilities, isBare, isOpening, say }] of talksOf(revision)) {
        it(name, async () => {
          const { own, sdk } = isOpening
            ? connect(revision)
            : await open(revision, capabilities, { isBare });
          for (const client of [own, sdk]) await say(client);
          const deviations = TALK_DEVIATIONS;
          const expected = expectedOf(sdk.takeTranscript(), deviations, name, revision);
          expect(own.takeTranscript()).to.deep.equal(expected);
          close({ own, sdk });
        });
      }
    });

    it('answer random requests alike', async () => {
      twins = await open(revision);
      const differences = [];
      for (const request of randomRequests(revision)) {
        const { own, sdk } = await exchange(twins, request);
        const expected = outcomesOf(expectedOf(sdk, REQUEST_DEVIATIONS, request, revision));
        const outcomes = outcomesOf(own);
        if (outcomes === expected) continue;
        differences.push(`${JSON.stringify(request)}: ${outcomes}, expected ${expected}`);
      }
      close(twins);
      expect(differences).to.deep.equal([]);
    });
  });
}

function inWords({ method, params }: RequestCase): string {
  const omitted = (_key: string, value: unknown): unknown => value ?? (value === null ? null : '–');
  return `${method} ${JSON.stringify(params, omitted)}`;
}

/** Whether there was a result or an error, and of which kind. */
function outcomesOf(transcript: Transcript): string {
  const outcomes = transcript.map(({ method, result, error }) => {
    if (method !== undefined) return method;
    if (error) return String(error.code);
    const isQuestion = result?.['resultType'] === 'input_required';
    return result?.['isError'] === true ? 'failure' : isQuestion ? 'question' : 'result';
  });
  return outcomes.join(', ') || 'nothing';
}

describe('the list of what the SDK does otherwise', () => {
  for (const deviation of [...REQUEST_DEVIATIONS, ...TALK_DEVIATIONS]) {
    it(`is right: it ${deviation.sdk} (${deviation.section})`, () => {
      expect(met.has(deviation)).to.equal(true);
    });
  }
});
