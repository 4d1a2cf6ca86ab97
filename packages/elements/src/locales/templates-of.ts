import { str, type LocaleModule } from '@lit/localize';

/** The texts of one language by their ids, in the form that `@lit/localize` accepts. */
export type Templates = NonNullable<LocaleModule['templates']>;

/** Makes templates from the texts of a JSON file, in which `{0}` stands for the first value of a text. */
export const templatesOf = (texts: Readonly<Record<string, string>>): Templates =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, templateOf(text)]));

/** Makes a template as the tag `str` does: every second part of the split text is the index of a value. */
function templateOf(text: string): Templates[string] {
  const parts = text.split(/\{(\d+)\}/);
  if (parts.length === 1) return text;
  const strings = parts.filter((_, index) => index % 2 === 0);
  const values = parts.filter((_, index) => index % 2 === 1).map(Number);
  return str(Object.assign(strings, { raw: strings }), ...values);
}
