import type { ContextSource } from './host-context.js';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

/** Gives the document the look of the host, now and after each change. */
export function followHostStyle(host: ContextSource): void {
  const fonts = document.createElement('style');
  document.head.append(fonts);
  const root = document.documentElement;
  const apply = (): void => {
    const { theme, styles, locale, safeAreaInsets } = host.context;
    if (theme) root.dataset['theme'] = root.style.colorScheme = theme;
    for (const [name, value] of Object.entries(styles?.variables ?? {}))
      if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value);
    const css = styles?.css?.fonts ?? '';
    // If the same CSS is set again, the browser loads the fonts again.
    if (fonts.textContent !== css) fonts.textContent = css;
    if (locale) root.lang = locale;
    for (const side of SIDES)
      if (safeAreaInsets)
        root.style.setProperty(`--safe-area-${side}`, `${safeAreaInsets[side]}px`);
  };
  apply();
  host.addEventListener('context', apply);
}
