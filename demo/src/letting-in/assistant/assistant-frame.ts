/** What the document of a model may use, where the browser knows it: its own model, and this machine. */
const MODEL_FEATURES = [
  'language-model',
  'local-network-access',
  'loopback-network',
  'local-network',
];

/** The names of what a page may allow a frame; only Chromium has both. */
interface FeaturePolicy {
  features(): string[];
}

/**
 * The frame of an assistant, before it is in the page.
 *
 * @param url Its document.
 * @param options `isSandboxed`: it has no origin then, and can reach nothing of the page but the port
 * that it is given. `isModel`: it may use a model of the browser, and one on this machine.
 */
export function createAssistantFrame(
  url: string,
  title: string,
  { isSandboxed, isModel }: { isSandboxed: boolean; isModel: boolean },
): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  if (isSandboxed) frame.sandbox.add('allow-scripts');
  if (isModel) frame.allow = MODEL_FEATURES.filter(isKnown).join('; ');
  const address = new URL(url, location.href);
  address.searchParams.set('parent', location.origin);
  const { theme } = document.documentElement.dataset;
  if (theme) address.searchParams.set('theme', theme);
  frame.src = address.href;
  return frame;
}

/** The browser would complain of what it does not know. */
function isKnown(feature: string): boolean {
  const { featurePolicy } = document as { featurePolicy?: FeaturePolicy };
  return featurePolicy?.features().includes(feature) === true;
}
