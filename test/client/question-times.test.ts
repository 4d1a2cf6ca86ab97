import { expect } from '@esm-bundle/chai';
import { ClientError } from '@inpage-mcp/client';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { asking, bare, DONE, ONE_QUESTION, slowUser } from './questions.js';
import { connectScripted } from './scripted-peer.js';

describe('the time of a question', () => {
  const timers = useFakeTimers();

  it('is that of the whole call, unless something else is said', async () => {
    const { elicit, asked, answer } = slowUser();
    const { client, request, requests } = await connectScripted({ elicit }, [ONE_QUESTION]);
    const call = failureOf(client.callTool('a'));
    const { signal } = await asked;
    // The part of the time that has passed already is measured by the clock, which does not stop.
    timers.pass(590_000);
    expect(signal.aborted).to.equal(false);
    timers.pass(10_000);
    expect(await call)
      .to.be.instanceOf(ClientError)
      .and.include({ code: 'timeout' });
    expect(signal.aborted).to.equal(true);
    answer({ action: 'accept' });
    // A round trip of the port: what would have been sent has arrived.
    const other = failureOf(client.listTools());
    expect((await request(1)).method).to.equal('tools/list');
    expect(requests).to.have.length(2);
    await client.close();
    await other;
    expect(timers.running).to.equal(0);
  });

  it('is the time of each step when that is given', async () => {
    const { elicit, asked, answer } = slowUser();
    const { client } = await connectScripted({ elicit }, [ONE_QUESTION]);
    const call = failureOf(client.callTool('a', {}, { timeoutMs: 50 }));
    const { signal } = await asked;
    timers.pass(50);
    const error = (await call) as ClientError;
    expect(error).to.include({ code: 'timeout' });
    expect(error.message).to.contain('The user').and.contain('50 ms');
    expect(signal.reason).to.equal(error);
    answer({ action: 'accept' });
    await client.close();
  });

  it('does not count for the server, whose own starts with each round', async () => {
    const { elicit, asked, answer } = slowUser();
    const { client, request, answer: serve } = await connectScripted({ elicit }, [ONE_QUESTION]);
    const call = client.callTool('a');
    await asked;
    timers.pass(300_000);
    answer({ action: 'accept' });
    const second = await request(1);
    timers.pass(29_999);
    serve(second, DONE);
    expect((await call).content).to.deep.equal([]);
    expect(timers.running).to.equal(0);
    await client.close();
  });

  it('is a pause when the server asks nothing but to be asked again', async () => {
    const { client, request, answer, requests } = await connectScripted();
    const call = client.callTool('a', {}, { timeoutMs: 20 });
    answer(await request(0), asking({}, 'busy'));
    const other = client.listTools();
    answer(await request(1), { tools: [] });
    await other;
    // The pause begins when the part of the client that knows of questions is loaded: its timer is
    // the second one, after that of the whole call.
    await timers.until(2);
    timers.pass(249);
    expect(requests).to.have.length(2);
    timers.pass(1);
    answer(await request(2), DONE);
    await call;
    expect(bare(requests[2]!.params)).to.deep.equal({
      name: 'a',
      arguments: {},
      requestState: 'busy',
    });
    expect(timers.running).to.equal(0);
    await client.close();
  });

  it('ends with the connection, also in a pause', async () => {
    const { client, request, answer } = await connectScripted();
    const call = failureOf(client.callTool('a'));
    answer(await request(0), asking({}, 'busy'));
    const other = client.listTools();
    answer(await request(1), { tools: [] });
    await other;
    await client.close();
    expect(await call).to.include({ code: 'closed' });
  });
});
