import type { LocaleModule } from '@lit/localize';

/** Translations by the ids of the texts. */
export type Texts = NonNullable<LocaleModule['templates']>;
