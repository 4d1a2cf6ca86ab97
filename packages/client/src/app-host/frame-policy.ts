/** The sources that an app wants to use, as its server declares them (`_meta.ui.csp` of the resource). */
export interface AppSources {
  /** The sources for `fetch`, WebSocket and similar connections. */
  connectDomains?: unknown;
  /** The sources for scripts, styles, pictures, fonts and media. */
  resourceDomains?: unknown;
  /** The sources for frames in the app. */
  frameDomains?: unknown;
  /** The addresses for `<base>`. */
  baseUriDomains?: unknown;
}

/** The maximum number of sources of each kind in a policy. */
const MAX_SOURCES = 50;

/**
 * One source: a scheme, a host that may start with a wildcard, and perhaps a port and a path. Anything else,
 * such as a keyword, a space or a semicolon, could change the meaning of the policy.
 */
const SOURCE =
  /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?:\d{1,5}|\*))?(?:\/[\w.~!$&()+=:@%/-]*)?$/i;

/**
 * The declared sources of one kind that a policy may name.
 *
 * @param domains A value from a server, unchecked. Anything that is not a source is omitted.
 * @param accept Whether the page permits a source. Default: all.
 */
export function sourcesOf(domains: unknown, accept = (_source: string): boolean => true): string[] {
  if (!Array.isArray(domains)) return [];
  return [...new Set(domains.slice(0, MAX_SOURCES).filter(isSource))].filter((one) => accept(one));
}

/** The sources that an app declares and that are accepted, for the app, in the form of the declaration. */
export function acceptedSources(
  declared: AppSources,
  accept: (source: string) => boolean,
): AppSources {
  const kinds = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;
  return Object.fromEntries(
    kinds
      .map((kind) => [kind, sourcesOf(declared[kind], accept)] as const)
      .filter(([, sources]) => sources.length > 0),
  );
}

function isSource(value: unknown): value is string {
  return typeof value === 'string' && value.length < 1_000 && SOURCE.test(value);
}

/**
 * The Content Security Policy of an app's document: nothing is loaded from anywhere, unless it is declared
 * and accepted. `'self'` is never in it, because the frame is a file of the page's own origin, whose other
 * files are not the app's.
 *
 * @param allowEval Whether the app may compile code from texts. Default: false.
 */
export function framePolicy(
  declared: AppSources = {},
  accept?: (source: string) => boolean,
  allowEval = false,
): string {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = declared;
  const [connect, resources, frames, bases] = [
    connectDomains,
    resourceDomains,
    frameDomains,
    baseUriDomains,
  ].map((domains) => sourcesOf(domains, accept).join(' '));
  const none = "'none'";
  const code = allowEval ? "'unsafe-eval'" : "'wasm-unsafe-eval'";
  return [
    `default-src ${none}`,
    `script-src 'unsafe-inline' ${code} blob: ${resources}`,
    `style-src 'unsafe-inline' ${resources}`,
    `img-src data: blob: ${resources}`,
    `font-src data: ${resources}`,
    `media-src data: blob: ${resources}`,
    'worker-src blob:',
    `connect-src ${connect || none}`,
    `frame-src ${frames || none}`,
    `base-uri ${bases || none}`,
    `form-action ${none}`,
    `object-src ${none}`,
  ].join('; ');
}

/** The features of a permission policy, by their names in `_meta.ui.permissions`. */
const FEATURES: { readonly [permission: string]: string } = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/**
 * The `allow` attribute of the app's frame.
 *
 * @param declared `_meta.ui.permissions` of the resource, unchecked.
 * @param accepted The names that the page permits, such as `camera`. Default: none.
 */
export function framePermissions(declared: unknown, accepted: readonly string[] = []): string {
  // The app's origin is opaque: only `*` matches it in every browser.
  return Object.keys(acceptedPermissions(declared, accepted))
    .map((name) => `${FEATURES[name as keyof typeof FEATURES]} *`)
    .join('; ');
}

/** The permissions that an app declares and that are accepted, for the app. */
export function acceptedPermissions(
  declared: unknown,
  accepted: readonly string[] = [],
): { [permission: string]: object } {
  const wanted = Object(declared) as { [permission: string]: unknown };
  return Object.fromEntries(
    Object.keys(FEATURES)
      .filter((name) => wanted[name] && accepted.includes(name))
      .map((name) => [name, {}]),
  );
}
