import { expect } from '@esm-bundle/chai';
import { files, notes, runtimeResources } from '@inpage-mcp/server';
// Internal to the package: who listens to it is.
import { Permission } from '../../packages/server/src/access/permission.js';
import { useLinkedServer } from '../support/linked-server.js';
import { reportedErrors } from '../support/reported-errors.js';

describe('a listener of the server that throws', () => {
  const broken = new Error('broken');
  const fail = (): never => {
    throw broken;
  };
  const providers = [notes(), files(), runtimeResources()];
  const linked = useLinkedServer({ providers });

  it('of the activity keeps no request from its answer, and no other listener from its call', async () => {
    const { activity } = linked.server;
    const client = await linked.connect();
    const methods: string[] = [];
    activity.listen(fail);
    activity.listen(({ method }) => methods.push(method));
    const errors = await reportedErrors(async () => {
      const { resources } = await client.listResources();
      expect(resources).to.be.an('array');
    });
    expect(errors).to.deep.equal([broken]);
    expect(methods).to.deep.equal(['resources/list']);
    await client.close();
  });

  it('of what the page provides does not keep that from being provided, changed and removed', async () => {
    const { provided } = linked.server;
    const listChanges: boolean[] = [];
    provided.listen(fail);
    provided.listen(({ listChanged }) => listChanges.push(listChanged));
    const errors = await reportedErrors(async () => {
      provided.add({ uri: 'app:/state', name: 'state' }, () => 'text');
      provided.changed('app:/state');
      provided.remove('app:/state');
    });
    expect(errors).to.deep.equal([broken, broken, broken]);
    expect(listChanges).to.deep.equal([true, false, true]);
  });

  it('of ends keeps no connection from ending, and no other listener from its call', async () => {
    const { server } = linked;
    const ended: number[] = [];
    server.listenToClose(fail);
    server.listenToClose((connection) => ended.push(connection));
    const { port1, port2 } = new MessageChannel();
    const connection = server.servePort(port2);
    const errors = await reportedErrors(() => server.closeConnection(connection));
    expect(errors).to.deep.equal([broken]);
    expect(ended).to.deep.equal([connection]);
    expect(server.connectionCount).to.equal(0);
    port1.close();
  });

  it('of an access does not keep it from becoming another, nor others from following it', async () => {
    const permission = new Permission({}, false, '', 1);
    let calls = 0;
    permission.listen(fail);
    permission.listen(() => (calls += 1));
    const errors = await reportedErrors(async () => permission.set({ read: [] }));
    expect(errors).to.deep.equal([broken]);
    expect(calls).to.equal(1);
    expect(permission.permits('note:///a')).to.equal(false);
  });
});
