/** The maximum length of the source of a drawing, and of the part of it that is not ASCII. */
const MAX_LENGTH = 32_768;
const MAX_OTHER_LETTERS = 1_000;

const MAX_ELEMENTS = 1_000;

/**
 * The maximum size of an SVG that is examined, in bytes. A larger one is too large to be drawn without
 * asking.
 */
const MAX_READ_BYTES = 131_072;

/**
 * The elements that are drawn only once, at their place. `use` repeats others, so that 1 kB can draw
 * millions.
 */
const SIMPLE_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs title desc metadata script path rect circle ellipse line polyline polygon ' +
    'text tspan linearGradient radialGradient stop'
  ).split(' '),
);

/** Whether an SVG is within the budget for drawings that are drawn without asking. */
export async function isSmallDrawing(blob: Blob): Promise<boolean> {
  return blob.size <= MAX_READ_BYTES && isWithinBudget(await blob.text());
}

/**
 * Whether an SVG with this source is certainly drawn fast: it is short, and every element of it is a simple
 * shape. The browser draws an SVG on the main thread, regardless of the time that this takes.
 */
export function isWithinBudget(source: string): boolean {
  if (source.length > MAX_LENGTH) return false;
  if (source.replace(/[\0-\x7f]+/g, '').length > MAX_OTHER_LETTERS) return false;
  if (!/^\uFEFF?\s*</.test(source) || !isUtf8(source)) return false;
  // Entities can represent other source, and a style sheet and these properties can repeat and blur shapes:
  // clip paths of clip paths in 25 kB took two minutes, the dashes of one square a second.
  const repeats = /<!(?!--|DOCTYPE[^[>]*>)|<\?xml-|filter|mask|clip|dash|blend|animation/i;
  if (repeats.test(source)) return false;
  // Each of these names can be written with escapes, in a style as well.
  if (/style/i.test(source) && /[&\\]/.test(source)) return false;
  const names = Array.from(source.matchAll(/<([^\s/>!?]+)/g), ([, name]) => name!);
  return names.length <= MAX_ELEMENTS && names.every((name) => SIMPLE_ELEMENTS.has(name));
}

/** Whether the browser reads the bytes as the same characters that are examined here. */
function isUtf8(source: string): boolean {
  const declared = /^\uFEFF?\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)/.exec(source)?.[1];
  return !/[\0\uFFFD]/.test(source) && (declared === undefined || /^utf-8$/i.test(declared));
}
