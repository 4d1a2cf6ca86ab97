/** The used part of the API, which the types of TypeScript lack. */
interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The address of a script of this build, in the form that the policy of the page requires. */
export function trustedUrl(path: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const url = new URL(path, document.baseURI);
  if (url.origin !== location.origin) throw new TypeError(`${url.href} is not of this page.`);
  // Only one policy may have this name.
  policy ??= trustedTypes?.createPolicy('inpage-mcp-demo', { createScriptURL: (own) => own });
  return policy?.createScriptURL(url.href) ?? url.href;
}
