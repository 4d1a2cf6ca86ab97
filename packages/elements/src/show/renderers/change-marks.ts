import { css } from 'lit';
import { firstIndex } from './first-index.js';
import type { ContentChanges } from './renderer.js';

/** The class of a row that stands in a part of a text: '' where it has not changed. */
export function markOf(changes: ContentChanges | undefined, start: number, end: number): string {
  if (!changes) return '';
  const { places } = changes;
  const place = places[firstIndex(places.length, (at) => places[at]!.end >= start)];
  if (!place || place.start > end) return '';
  return place.isRemoval ? 'removed' : 'changed';
}

/** The styles of marks. Colours of tokens have too little contrast on them. */
export const markStyles = css`
  .changed,
  .changed > * {
    background: var(--_updated);
    color: var(--_text);
  }

  .removed {
    box-shadow: inset 0 2px var(--_danger);
  }

  @media (forced-colors: active) {
    .changed,
    .changed > * {
      forced-color-adjust: none;
      background: Mark;
      color: MarkText;
    }
  }
`;
