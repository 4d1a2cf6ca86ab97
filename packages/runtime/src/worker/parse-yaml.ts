// This module is loaded when notes are imported whose front matter another program has written.
import { FAILSAFE_SCHEMA, load } from 'js-yaml';

/**
 * Parses YAML texts. With the schema, scalars stay as they are written: a title may be a number.
 *
 * @see ParseYaml
 */
export function parseYaml(texts: readonly string[]): unknown[] {
  return texts.map((text) => {
    try {
      return load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0 });
    } catch {
      return undefined;
    }
  });
}
