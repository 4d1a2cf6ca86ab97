import { expect } from '@esm-bundle/chai';
// Internal to the package: a page reaches it through a worker, which opens in its own time.
import { createControl } from '../../packages/server/src/control/control.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';

describe('tasks of a page', () => {
  it('that are cancelled while the server is opening change nothing', async () => {
    const databaseName = freshDatabaseName();
    const control = createControl({});
    const started = control.start({ databaseName });
    const note = [{ title: 'a', text: '' }];
    const [cancelled, other] = [1, 2].map((task) =>
      control.run('notes', 'createAll', [note], {}, task),
    );
    await control.cancelTask(1);
    expect(await started).to.have.property('ok', true);
    expect(await cancelled).to.have.nested.property('error.code', 'cancelled');
    expect(await other).to.have.property('ok', true);
    const report = await control.estimate();
    expect(report).to.have.nested.property('value.notes', 1);
    await control.close();
    await deleteDatabase(databaseName);
  });
});
