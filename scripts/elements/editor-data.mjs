// The data with which editors complete and explain the elements: custom data of VS Code, and the web-types of
// JetBrains' editors.

/**
 * @typedef {import('./manifest-types.mjs').Element} Element
 * @typedef {import('./manifest-types.mjs').Named} Named
 */

/**
 * The content of the file that the setting `html.customData` of VS Code names.
 * @param {Element[]} elements
 */
export const htmlCustomData = (elements) => ({
  version: 1.1,
  tags: elements.map((element) => ({
    name: element.tagName,
    description: { kind: 'markdown', value: documentation(element) },
    attributes: (element.attributes ?? []).map(({ name, description, type }) => ({
      name,
      description,
      ...(isBoolean(type) ? { valueSet: 'v' } : { values: literals(type).map(toName) }),
    })),
  })),
});

/**
 * The content of the file that the setting `css.customData` of VS Code names.
 * @param {Element[]} elements
 */
export const cssCustomData = (elements) => ({
  version: 1.1,
  properties: uniqueProperties(elements).map(({ name, description }) => ({ name, description })),
});

/**
 * The content of the file that JetBrains' editors find by the field `web-types` of package.json.
 * @param {Element[]} elements
 * @param {{ name: string, version: string }} manifest of the package
 */
export const webTypes = (elements, { name, version }) => ({
  $schema: 'https://json.schemastore.org/web-types',
  name,
  version,
  'js-types-syntax': 'typescript',
  'description-markup': 'markdown',
  contributions: {
    html: { elements: elements.map(webType) },
    css: {
      properties: uniqueProperties(elements).map(withDescription),
      'pseudo-elements': elements.flatMap(({ cssParts = [] }) =>
        cssParts.map((part) => ({ ...withDescription(part), name: `part(${part.name})` })),
      ),
    },
  },
});

/** @param {Element} element */
function webType({ tagName, description, attributes = [], slots = [], events = [], members = [] }) {
  return {
    name: tagName,
    description,
    attributes: attributes.map((attribute) => ({
      ...withDescription(attribute),
      ...(attribute.default && { default: attribute.default }),
      value: { type: typeOf(attribute) },
    })),
    slots: slots.map(withDescription),
    js: {
      properties: members
        .filter(({ kind }) => kind === 'field')
        .map((member) => ({ ...withDescription(member), type: typeOf(member) })),
      events: events.map((event) => ({ ...withDescription(event), type: typeOf(event) })),
    },
  };
}

/** @param {Element} element */
function documentation({ description, events, slots, cssParts, cssProperties, cssStates }) {
  const lists = { events, slots, 'CSS parts': cssParts, 'CSS properties': cssProperties };
  const all = Object.entries({ ...lists, 'CSS states': cssStates });
  return [description, ...all.map(([title, entries]) => section(title, entries ?? []))]
    .filter(Boolean)
    .join('\n\n');
}

/** @param {string} title @param {Named[]} entries */
const section = (title, entries) =>
  entries.length === 0
    ? ''
    : [
        `**${title}**\n`,
        ...entries.map(({ name, description }) => `- \`${name || 'default'}\`: ${description}`),
      ].join('\n');

/** @param {Element[]} elements */
const uniqueProperties = (elements) => [
  ...new Map(
    elements
      .flatMap(({ cssProperties = [] }) => cssProperties)
      .map((property) => [property.name, property]),
  ).values(),
];

/** @param {Named} named */
const withDescription = ({ name, description }) => ({ name, ...(description && { description }) });

/** @param {Named} named */
const typeOf = ({ type }) => type?.text ?? 'unknown';

/** @param {Named['type']} type */
const isBoolean = (type) => /^boolean\b/.test(type?.text ?? '');

/** @param {Named['type']} type */
const literals = (type) => [...(type?.text ?? '').matchAll(/'([^']+)'/g)].map(([, text]) => text);

/** @param {string | undefined} name */
const toName = (name) => ({ name });
