import type { CSSResult } from 'lit';

/** Adds styles to a shadow root, only once: those of a part that is loaded when it is first needed. */
export function adoptStyles(root: ShadowRoot, { styleSheet }: CSSResult): void {
  if (!styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
  root.adoptedStyleSheets.push(styleSheet);
}
