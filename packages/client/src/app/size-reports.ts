import type { ContextSource } from './host-context.js';

/** Lengths in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The maximum number of reports in a row that follow from a new height of the frame. */
const MAX_ECHOES = 2;

/**
 * Reports the size of the content, so that the host can make the frame as high as that.
 *
 * The height of a document may depend on the height of its frame, as with `100vh` and a margin. Then each
 * report would cause the next one, without end. So only a few reports may follow from a new height of the
 * frame; after that, only a change of the content causes a report.
 *
 * @param closed Ends the reports.
 */
export function reportSize(
  host: ContextSource,
  closed: Promise<void>,
  report: (size: Size) => void,
): void {
  let last = { width: 0, height: 0, frame: innerHeight };
  let echoes = 0;
  let isAwaited = false;

  const measure = (): void => {
    isAwaited = false;
    const { containerDimensions, displayMode = 'inline' } = host.context;
    const isFixed = containerDimensions?.height !== undefined || displayMode === 'fullscreen';
    const size = { width: Math.ceil(innerWidth), height: isFixed ? 0 : contentHeight() };
    const isEcho = innerHeight !== last.frame && size.width === last.width;
    const isSame = size.height === last.height && size.width === last.width;
    echoes = isEcho && !isSame ? echoes + 1 : 0;
    last = { ...size, frame: innerHeight };
    if (!isFixed && !isSame && echoes <= MAX_ECHOES) report(size);
  };

  const measureSoon = (): void => {
    if (!isAwaited) requestAnimationFrame(measure);
    isAwaited = true;
  };

  const observer = new ResizeObserver(measureSoon);
  observer.observe(document.documentElement);
  observer.observe(document.body);
  const ending = new AbortController();
  addEventListener('resize', measureSoon, { signal: ending.signal });
  host.addEventListener('context', measureSoon, { signal: ending.signal });
  void closed.then(() => {
    observer.disconnect();
    ending.abort();
  });
}

/** The height that the content itself needs; `body` and `html` may be as high as the frame. */
function contentHeight(): number {
  const { documentElement: root, body } = document;
  const before = [root.style.height, body.style.height] as const;
  root.style.height = body.style.height = 'max-content';
  const height = Math.ceil(root.getBoundingClientRect().height);
  [root.style.height, body.style.height] = before;
  return height;
}
