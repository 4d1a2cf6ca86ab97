import { endWithinCost } from '../../../base/text/layout-cost.js';

/** What the source of a drawing may cost to lay out, as if all of it were text. */
const MAX_COST = 32_768;

const MAX_ELEMENTS = 1_000;

/** An SVG of more bytes is not looked into: it is too large to be drawn unasked. */
const MAX_READ_BYTES = 131_072;

/** What is drawn once, where it stands. `use` repeats others, so that 1 kB can draw millions. */
const QUICK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs title desc metadata script path rect circle ellipse line polyline polygon ' +
    'text tspan linearGradient radialGradient stop'
  ).split(' '),
);

/** Whether an SVG is drawn in a moment. */
export async function isQuick(blob: Blob): Promise<boolean> {
  return blob.size <= MAX_READ_BYTES && isQuickToDraw(await blob.text());
}

/**
 * Whether an SVG of this source is certainly drawn in a moment: it is short, and every element of it
 * is a simple shape. The browser draws an SVG on the main thread, however long that takes.
 */
export function isQuickToDraw(source: string): boolean {
  if (source.length > MAX_COST || endWithinCost(source, 0, MAX_COST) < source.length) return false;
  if (!/^\uFEFF?\s*</.test(source) || !isUtf8(source)) return false;
  // Entities stand for other source; a style sheet and these properties can repeat and blur shapes: clip
  // paths of clip paths in 25 kB took two minutes, the dashes of one square a second.
  const repeats = /<!(?!--|DOCTYPE[^[>]*>)|<\?xml-|filter|mask|clip|dash|blend|animation/i;
  if (repeats.test(source)) return false;
  // Each of those can be written in other characters, in a style as well.
  if (/style/i.test(source) && /[&\\]/.test(source)) return false;
  const names = Array.from(source.matchAll(/<([^\s/>!?]+)/g), ([, name]) => name!);
  return names.length <= MAX_ELEMENTS && names.every((name) => QUICK_ELEMENTS.has(name));
}

/** Whether the browser reads the bytes as the characters that were looked at. */
function isUtf8(source: string): boolean {
  const declared = /^\uFEFF?\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)/.exec(source)?.[1];
  return !/[\0\uFFFD]/.test(source) && (declared === undefined || /^utf-8$/i.test(declared));
}
