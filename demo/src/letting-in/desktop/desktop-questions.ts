import type { ConsentAnswer, ConsentQuestion } from '@inpage-mcp/elements';
import type { Access, DesktopRequest, PairingQuestion } from '@inpage-mcp/runtime';
import { consentDialog } from '../ask-consent.js';
import type { DesktopGrant } from './desktop-grants.js';
import { readableFields, readableIn, readAccess, type Choice } from '../grants.js';

/** What the user may allow an app to change, and how that is called. */
const CHANGES: { [changes in DesktopGrant['changes']]: string } = {
  none: 'Nothing: it only reads',
  ask: 'What I agree to: this page asks me before each change',
  allow: 'Everything that it may read, without asking',
};

/** Asks whether the desktop app shows the same code. */
export async function askForPairing({ code, host, signal }: PairingQuestion): Promise<boolean> {
  const dialog = await consentDialog();
  const question: ConsentQuestion = {
    requester: host || undefined,
    texts: { title: 'Connect a desktop app?', yes: 'It is the same code', no: 'Cancel' },
    message:
      `The code of this page is ${code}\n\nThe desktop app, or the window in which you have started ` +
      'the bridge, shows a code, too. Is it the same? If it is not, or if you have started no app, ' +
      'somebody else wants to connect: cancel.\n\nAn app sees nothing before you have chosen what it may read.',
    lasting: false,
  };
  return (await dialog.ask(question, { signal })).decision === 'once';
}

/**
 * Asks what a desktop app may do; undefined if it is not let in.
 *
 * @param choices The notes that the user may choose.
 */
export async function askForGrant(
  { name, version, signal }: DesktopRequest,
  choices: readonly Choice[],
): Promise<DesktopGrant | undefined> {
  const dialog = await consentDialog();
  const answer = await dialog.ask(grantQuestion(name, version, choices), { signal });
  return answer.decision === 'once' ? grantIn(answer) : undefined;
}

function grantQuestion(
  name: string,
  version: string | undefined,
  choices: readonly Choice[],
): ConsentQuestion {
  return {
    requester: version ? `${name} ${version}` : name,
    texts: { title: 'Let this desktop app in?', yes: 'Let it in', no: 'Not now' },
    message:
      'It is a program on this computer, and wants to list and read what you choose here. What it ' +
      'reads, it may send to the model that it uses. You can end this at any time.',
    requestedSchema: {
      type: 'object',
      properties: {
        ...readableFields(choices),
        changes: {
          type: 'string',
          title: 'What it may change',
          oneOf: Object.entries(CHANGES).map(([value, title]) => ({ const: value, title })),
          default: 'ask',
        },
      },
      required: ['everything', 'changes'],
    },
    lasting: false,
  };
}

function grantIn(answer: ConsentAnswer): DesktopGrant {
  const changes = answer.content?.['changes'];
  return {
    ...readableIn(answer),
    changes: changes === 'none' || changes === 'allow' ? changes : 'ask',
  };
}

/** What the server lets an app do. */
export function accessOf(grant: DesktopGrant): Access {
  return {
    read: readAccess(grant),
    write: grant.changes === 'none' ? 'deny' : grant.changes,
    tools: 'all',
    prompts: 'all',
  };
}
