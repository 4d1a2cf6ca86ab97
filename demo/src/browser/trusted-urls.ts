/** The used part of the API, which TypeScript does not know. */
interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The address of a script of this build, as the policy of the page demands it. */
export function trustedUrl(path: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const url = new URL(path, document.baseURI);
  if (url.origin !== location.origin) throw new TypeError(`${url.href} is not of this page.`);
  // A name may be given to one policy only.
  policy ??= trustedTypes?.createPolicy('inpage-mcp-demo', { createScriptURL: (own) => own });
  return policy?.createScriptURL(url.href) ?? url.href;
}
