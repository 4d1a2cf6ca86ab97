import type { Tool } from '../api/tool-types.js';
import { ANSWERS } from '../results/answer-shapes.js';
import { amount, arrayOf, object, oneOf, shape, text, type Check } from '../results/checks.js';

/** The way in which an app is shown: in the conversation, alone, or above everything in a small window. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** Lengths in CSS pixels, by side, that the device or the host may cover. */
export type SafeAreaInsets = { [side in 'top' | 'right' | 'bottom' | 'left']: number };

/**
 * The facts that a host reports about itself and its user, `HostContext` of MCP Apps. Every part may be
 * absent.
 */
export interface HostContext {
  /** The colour scheme of the host. */
  theme?: 'light' | 'dark' | undefined;
  /** CSS: variables by name, such as `--color-text-primary`, and `@font-face` rules. */
  styles?:
    | {
        variables?: { [name: string]: unknown } | undefined;
        css?: { fonts?: string | undefined } | undefined;
      }
    | undefined;
  /** The way in which the app is shown now. */
  displayMode?: DisplayMode | undefined;
  /** The ways in which the host can show apps. */
  availableDisplayModes?: DisplayMode[] | undefined;
  /** The size of the frame in CSS pixels: fixed, or up to a maximum. */
  containerDimensions?:
    { width?: number; maxWidth?: number; height?: number; maxHeight?: number } | undefined;
  /** The language of the user, as BCP 47. */
  locale?: string | undefined;
  /** The time zone of the user, by its IANA name, such as `Europe/Rome`. */
  timeZone?: string | undefined;
  /** The name of the host program. */
  userAgent?: string | undefined;
  /** The platform on which the host runs. */
  platform?: 'web' | 'desktop' | 'mobile' | undefined;
  /** The pointing devices of the user: `true`, or unknown. */
  deviceCapabilities?: { touch?: unknown; hover?: unknown } | undefined;
  /** The parts of the frame at each side where nothing important should be. */
  safeAreaInsets?: SafeAreaInsets | undefined;
  /** The tool whose call shows the app, and the id of that call. */
  toolInfo?: { id?: unknown; tool: Tool } | undefined;
  /** Further parts, unchecked. */
  [part: string]: unknown;
}

/** The host, as far as the look of an app follows it. */
export interface ContextSource extends EventTarget {
  /** The current context. The event `context` reports that it has changed. */
  readonly context: HostContext;
}

const fields = (checks: { [name: string]: Check }, required: string[] = []): Check =>
  shape(new Map(Object.entries(checks)), required);

const mode = oneOf('inline', 'fullscreen', 'pip');
const SIDES = ['top', 'right', 'bottom', 'left'];
const amounts = (names: string[], required?: string[]): Check =>
  fields(Object.fromEntries(names.map((name) => [name, amount])), required);

const context = fields({
  theme: oneOf('light', 'dark'),
  styles: fields({ variables: object, css: fields({ fonts: text }) }),
  displayMode: mode,
  availableDisplayModes: arrayOf(mode),
  containerDimensions: amounts(['width', 'maxWidth', 'height', 'maxHeight']),
  locale: text,
  timeZone: text,
  userAgent: text,
  platform: oneOf('web', 'desktop', 'mobile'),
  deviceCapabilities: object,
  safeAreaInsets: amounts(SIDES, SIDES),
  toolInfo: fields({ tool: ANSWERS['tools/list']!.entry }, ['tool']),
});

/** The facts that a host reports about itself, without the parts that have a wrong type. */
export function checkContext(value: unknown): HostContext {
  return (context(value) ?? {}) as HostContext;
}
