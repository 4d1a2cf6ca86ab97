import type { Confirm, McpConsent } from '@inpage-mcp/elements';

let dialog: Promise<McpConsent> | undefined;

/** The dialog that asks the user, loaded when there is the first question. */
export function consentDialog(): Promise<McpConsent> {
  dialog ??= (async () => {
    await import('@inpage-mcp/elements/define/mcp-consent');
    const element = document.createElement('mcp-consent');
    document.body.append(element);
    return element;
  })();
  return dialog;
}

/** Asks before a tool of a guest writes. */
export const confirm: Confirm = async (request, context) =>
  await (await consentDialog()).asConfirm()(request, context);
