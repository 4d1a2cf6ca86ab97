// The language of the texts: English without this module.
import { configureLocalization } from '@lit/localize';

export type { Templates } from './locales/templates-of.js';

/** A module of translated texts. */
export type LocaleModule = Awaited<
  ReturnType<Parameters<typeof configureLocalization>[0]['loadLocale']>
>;

/** Loads the texts of one language. */
export type LoadLocale = () => Promise<LocaleModule>;

const loaders = new Map<string, LoadLocale>([
  ['ar', () => import('./locales/ar.js')],
  ['ja', () => import('./locales/ja.js')],
  ['zh', () => import('./locales/zh.js')],
]);

let setLocale: ((language: string) => Promise<void>) | undefined;

/**
 * Adds a language, or replaces the texts of one. Must be called before the first `setLanguage()`.
 *
 * @param language A language tag without region, such as `de`.
 * @throws {Error} after the first `setLanguage()`.
 */
export function addLanguage(language: string, load: LoadLocale): void {
  if (setLocale) throw new Error('addLanguage() must be called before the first setLanguage().');
  loaders.set(language, load);
}

/**
 * Shows the texts of all elements in a language, and dates, numbers and sizes, too. Resolves when the
 * texts are loaded and rejects if they cannot be loaded.
 *
 * An app that itself configures `@lit/localize` does not use this: it adds the `templates` of
 * `@inpage-mcp/elements/locales/ja`, `…/zh` or `…/ar` to its own.
 *
 * @param language A language tag: `en`, `ja`, `zh`, `ar`, or one that was added. For `ja-JP`, the first part
 *   counts. The texts of an unknown language are English.
 */
export async function setLanguage(language: string): Promise<void> {
  setLocale ??= configureLocalization({
    sourceLocale: 'en',
    targetLocales: loaders.keys(),
    loadLocale: (locale) => loaders.get(locale)!(),
  }).setLocale;
  const [base = ''] = language.toLowerCase().split('-', 1);
  await setLocale(loaders.has(base) ? base : 'en');
}
