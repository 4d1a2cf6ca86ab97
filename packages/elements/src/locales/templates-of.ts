import { str, type LocaleModule } from '@lit/localize';

/** The texts of one language by their ids, as `@lit/localize` takes them. */
export type Templates = NonNullable<LocaleModule['templates']>;

/** Makes templates of the texts of a JSON file, in which `{0}` stands for the first value of a text. */
export const templatesOf = (texts: Readonly<Record<string, string>>): Templates =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, templateOf(text)]));

/** As the tag `str` makes one: of a split text, each second part is the index of a value. */
function templateOf(text: string): Templates[string] {
  const parts = text.split(/\{(\d+)\}/);
  if (parts.length === 1) return text;
  const strings = parts.filter((_, index) => index % 2 === 0);
  const values = parts.filter((_, index) => index % 2 === 1).map(Number);
  return str(Object.assign(strings, { raw: strings }), ...values);
}
