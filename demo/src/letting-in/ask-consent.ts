import type { Confirm, ConsentDocuments, ConsentQuestion, McpConsent } from '@inpage-mcp/elements';

let dialog: Promise<McpConsent> | undefined;

/** The dialog that asks the user, which is loaded for the first question. */
export function consentDialog(): Promise<McpConsent> {
  dialog ??= (async () => {
    await import('@inpage-mcp/elements/define/mcp-consent');
    const element = document.createElement('mcp-consent');
    document.body.append(element);
    return element;
  })();
  // After a failed load, the next question loads it again.
  dialog.catch(() => (dialog = undefined));
  return dialog;
}

/** Asks the user; resolves with whether the answer is a yes. */
export async function agrees(question: ConsentQuestion, signal?: AbortSignal): Promise<boolean> {
  return (await (await consentDialog()).ask(question, { signal })).decision === 'once';
}

/** The facts for a question: the notes, and the name of the only frame without an origin. */
interface Known {
  readonly documents: ConsentDocuments;
  readonly frameName: string;
}

/** Asks before a tool of a guest writes. A desktop app has no origin, only the name that it gives itself. */
export const confirmWith =
  (known: () => Known): Confirm =>
  async ({ origin, ...request }, { signal }) => {
    const { documents, frameName } = known();
    const [, app] = /^desktop:(.*)$/s.exec(origin ?? '') ?? [];
    const asker = app === undefined ? { origin } : { requester: app };
    const name = origin === 'null' && { requester: frameName };
    return await agrees({ ...request, ...asker, ...name, documents }, signal);
  };
