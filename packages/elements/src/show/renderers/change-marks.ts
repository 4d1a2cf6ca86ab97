import { css } from 'lit';
import { firstIndex } from './first-index.js';
import type { ChangedPlace, ContentChanges } from './renderer.js';

/** How far the marks around changed words are looked at, in UTF-16 code units. */
const MAX_EDGE = 100;

/** A marked part of a text, from its beginning. */
export interface Mark {
  start: number;
  end: number;
  className: string;
}

/** The marks in a part of a text, in order. */
export function marksIn(changes: ContentChanges | undefined, start: number, end: number): Mark[] {
  const marks: Mark[] = [];
  if (!changes) return marks;
  const { places } = changes;
  for (let at = firstAfter(places, start); at < places.length; at += 1) {
    const place = places[at]!;
    if (place.start >= end) break;
    marks.push({
      start: Math.max(0, place.start - start),
      end: Math.min(end, place.end) - start,
      className: classOf(changes, at),
    });
  }
  return marks;
}

/**
 * The class of a thing that stands in a part of a text: '' where none of its words has changed. Marks
 * at the ends of a change count only where nothing else has changed: of `, "b": 1` neither the comma
 * nor the quotes belong to the thing before.
 */
export function markOf(
  changes: ContentChanges | undefined,
  text: string,
  start: number,
  end: number,
): string {
  if (!changes) return '';
  const { places } = changes;
  for (let at = firstAfter(places, start); at < places.length; at += 1) {
    if (places[at]!.start >= end) break;
    const [first, last] = wordsIn(text, places[at]!);
    if (first < end && last > start) return classOf(changes, at);
  }
  return '';
}

/** Where the words of a place begin and end; the whole place where it has only other marks. */
export function wordsIn(text: string, { start, end }: ChangedPlace): [start: number, end: number] {
  const first = text.slice(start, Math.min(end, start + MAX_EDGE)).search(/[\p{L}\p{N}_]/u);
  if (first < 0) return [start, end];
  const [after = ''] = /[^\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(start, end - MAX_EDGE), end))!;
  return [start + first, end - after.length];
}

/** The first place that ends after an offset. */
function firstAfter(places: readonly ChangedPlace[], offset: number): number {
  return firstIndex(places.length, (at) => places[at]!.end > offset);
}

function classOf({ places, current }: ContentChanges, at: number): string {
  const kind = places[at]!.isRemoval ? 'removed' : 'changed';
  return at === current ? `${kind} current` : kind;
}

/** The styles of marks. Colours of tokens have too little contrast on them. */
export const markStyles = css`
  .changed {
    background: var(--_updated);
    color: var(--_text);
    text-decoration: underline 2px;
  }

  .removed {
    background: none;
    color: inherit;
    text-decoration: underline dashed 2px var(--_danger);
  }

  .current {
    background: var(--_accent);
    color: var(--_on-accent);
    scroll-margin: 3rem 1rem 3rem 6rem;
  }

  :is(.changed, .current) > * {
    color: inherit;
  }

  @media (forced-colors: active) {
    .changed {
      forced-color-adjust: none;
      background: Mark;
      color: MarkText !important;
    }

    .current {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText !important;
      outline: 2px solid CanvasText;
    }
  }
`;
