/**
 * Lets the browser load what it knows of languages, which it does once, with the first size and the
 * first age that are formatted, each as long as drawing a pane. To be called while the page waits for
 * its worker: the rows of the list would be the first to wait.
 */
export function warmFormats(): void {
  const { lang } = document.documentElement;
  setTimeout(() => new Intl.NumberFormat(lang, { style: 'unit', unit: 'byte' }).format(0));
  setTimeout(() => new Intl.RelativeTimeFormat(lang).format(0, 'minute'));
}
