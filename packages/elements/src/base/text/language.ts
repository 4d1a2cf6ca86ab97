// The language of the texts, for dates, numbers and sizes.

/** The name of the event of @lit/localize on `window`. */
const STATUS_EVENT = 'lit-localize-status';

let language = 'en';

// @lit/localize may be configured by `setLanguage()`, or by an app with its own translations.
globalThis.addEventListener?.(STATUS_EVENT, (event) => {
  const { detail } = event as CustomEvent<{ status: string; readyLocale?: string }>;
  if (detail.status === 'ready' && detail.readyLocale) language = detail.readyLocale;
});

/**
 * The language of the texts as a tag for `Intl`. It has the region that the user prefers, such as `en-GB`, if
 * the browser names one for this language.
 */
export function languageTag(): string {
  const isPreferred = (tag: string): boolean => tag === language || tag.startsWith(`${language}-`);
  return navigator.languages.find(isPreferred) ?? language;
}
