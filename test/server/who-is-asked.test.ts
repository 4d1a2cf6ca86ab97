import { expect } from '@esm-bundle/chai';
import type { HeldBy, LimitsOf } from '@inpage-mcp/server';
import { useLinkedServer } from '../support/linked-server.js';
import { RawClient } from '../support/raw-client.js';
import { ERAS, ToolCaller, type Era } from '../support/tool-caller.js';

const NOTE = { title: 'a', text: 't' };
const FORMS = { elicitation: { form: {} } };

describe('a connection that has to ask before it writes', () => {
  const linked = useLinkedServer();
  let asked: unknown[];

  beforeEach(() => {
    asked = [];
    linked.server.confirm = (request) => asked.push(request) > 0;
  });

  const asking = (era: Era, options: { limits: LimitsOf; heldBy?: HeldBy; holder?: string }) => {
    const { port1, port2 } = new MessageChannel();
    linked.server.servePort(port2, { access: { write: 'ask' }, ...options });
    return new ToolCaller(new RawClient(port1), era, FORMS);
  };
  const questionsTo = ({ client }: ToolCaller): unknown[] =>
    client.notifications('elicitation/create');

  for (const era of ERAS) {
    for (const limits of ['page', 'guest'] as const) {
      it(`is not asked about itself as a guest with the limits of the ${limits}, in the ${era} era`, async () => {
        const guests = [
          asking(era, { limits, heldBy: 'guest', holder: 'https://one.example' }),
          asking(era, { limits, heldBy: 'guest' }),
          asking(era, { limits }),
        ];
        for (const tools of guests) {
          const result = await tools.call('create_note', NOTE);
          expect(result.structuredContent).to.include({ title: 'a' });
          expect(questionsTo(tools)).to.deep.equal([]);
        }
        const message = 'Create the note "a"?';
        const question = { tool: 'create_note', message, arguments: NOTE };
        expect(asked).to.deep.equal([
          { ...question, origin: 'https://one.example' },
          question,
          question,
        ]);
      });

      it(`is left in peace as a guest with the limits of the ${limits}, in the ${era} era`, async () => {
        linked.server.confirm = (request) => asked.push(request) < 0;
        const tools = asking(era, { limits, heldBy: 'guest' });
        for (let call = 0; call < 4; call += 1) await tools.failure('create_note', NOTE);
        expect(asked).to.have.length(3);
      });

      it(`is asked when it is the page, with the limits of the ${limits}, in the ${era} era`, async () => {
        const tools = asking(era, { limits, heldBy: 'page' });
        const id = await tools.post('create_note', NOTE);
        const { client } = tools;
        if (era === 'modern') {
          expect(await client.answerTo(id)).to.have.nested.property(
            'result.resultType',
            'input_required',
          );
        } else {
          await client.when(() => questionsTo(tools).length > 0);
        }
        expect(asked).to.deep.equal([]);
      });
    }
  }
});
