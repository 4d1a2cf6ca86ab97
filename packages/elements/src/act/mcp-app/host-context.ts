/**
 * The tokens of the elements, whose names are private, with the style variables of an app that they set (MCP
 * Apps › Theming).
 */
const VARIABLES: readonly (readonly [token: string, variables: string])[] = [
  ['--_surface', '--color-background-primary --color-text-inverse'],
  ['--_raised', '--color-background-secondary --color-background-disabled'],
  ['--_selected', '--color-background-tertiary --color-background-info'],
  ['--_updated', '--color-background-warning'],
  ['--_text', '--color-text-primary --color-text-warning --color-background-inverse'],
  ['--_muted', '--color-text-secondary --color-text-tertiary --color-text-disabled'],
  ['--_accent', '--color-text-info --color-ring-primary --color-ring-info --color-border-info'],
  ['--_danger', '--color-text-danger --color-border-danger --color-ring-danger'],
  ['--_success', '--color-text-success --color-border-success --color-ring-success'],
  ['--_line', '--color-border-primary --color-border-tertiary'],
  ['--_field-line', '--color-border-secondary'],
  ['--_font', '--font-sans'],
  ['--_mono', '--font-mono'],
  ['--_radius', '--border-radius-sm --border-radius-md --border-radius-lg'],
];

const DARK = '(prefers-color-scheme: dark)';

/** The host context of an app: the colours, fonts, language and time zone of the page around an element. */
export function pageContext(element: Element): Record<string, unknown> {
  const style = getComputedStyle(element);
  const variables = Object.fromEntries(
    VARIABLES.flatMap(([token, names]) => {
      const value = style.getPropertyValue(token).trim();
      return value ? names.split(' ').map((name) => [name, value] as const) : [];
    }),
  );
  return {
    theme: isDark(style.colorScheme) ? 'dark' : 'light',
    styles: { variables },
    locale: languageOf(element),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: 'web',
    deviceCapabilities: {
      touch: navigator.maxTouchPoints > 0,
      hover: matchMedia('(hover: hover)').matches,
    },
  };
}

/**
 * Calls back when the page may look different, or have another language. Returns a function that stops this.
 */
export function watchPage(onchange: () => void): () => void {
  const scheme = matchMedia(DARK);
  scheme.addEventListener('change', onchange);
  const attributes = new MutationObserver(onchange);
  attributes.observe(document.documentElement, {
    attributeFilter: ['class', 'style', 'lang', 'dir', 'data-theme'],
  });
  return () => {
    scheme.removeEventListener('change', onchange);
    attributes.disconnect();
  };
}

function isDark(colorScheme: string): boolean {
  const words = colorScheme.split(' ');
  return words.includes('dark') && (!words.includes('light') || matchMedia(DARK).matches);
}

function languageOf(element: Element): string {
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : undefined;
  const lang =
    element.closest('[lang]')?.getAttribute('lang') ??
    host?.closest('[lang]')?.getAttribute('lang');
  return lang || navigator.language;
}
