import { recall, remember } from '../browser/remembered.js';

const THEME_KEY = 'inpage-mcp-demo-theme';

/** Applies the theme that was chosen before; without a choice, the system's theme. */
export function showTheme(): void {
  const chosen = recall(THEME_KEY);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
}

/** Changes to the other theme, and remembers it. */
export function nextTheme(): void {
  const root = document.documentElement;
  const isDark =
    root.dataset['theme'] === 'dark' ||
    (root.dataset['theme'] === undefined && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset['theme'] = isDark ? 'light' : 'dark';
  remember(THEME_KEY, root.dataset['theme']);
}
