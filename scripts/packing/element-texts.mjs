// The part of llms.txt that lists the elements.

/**
 * @typedef {import('../elements/manifest-types.mjs').Element} Element
 * @typedef {import('../elements/manifest-types.mjs').Named} Named
 */

/** @param {Element[]} elements */
export const elementTexts = (elements) => elements.map(elementText).join('\n');

/** @param {Element} element */
function elementText({ tagName, name, description = '', members = [], ...element }) {
  const { attributes = [], events = [], slots = [], cssParts = [], cssProperties = [] } = element;
  const attributeOf = new Map(attributes.map((one) => [one.fieldName, one.name]));
  /** @param {Named} field */
  const withType = (field) => {
    const attribute = attributeOf.get(field.name);
    const type = field.type?.text ?? 'unknown';
    return {
      ...field,
      name: `${field.name}: ${type}${attribute ? ` (attribute ${attribute})` : ''}`,
    };
  };
  const lists = {
    Properties: members.filter(({ kind }) => kind === 'field').map(withType),
    Methods: members.filter(({ kind }) => kind === 'method'),
    Events: events.map((event) => ({ ...event, name: `${event.name}: ${event.type?.text}` })),
    Slots: slots.map((slot) => ({ ...slot, name: slot.name || 'default' })),
    Parts: cssParts,
    'Custom properties': cssProperties,
    States: element.cssStates ?? [],
  };
  const texts = Object.entries(lists).map(([title, entries]) => listText(title, entries));
  return `### <${tagName}>, class ${name}\n\n${[description, ...texts].filter(Boolean).join('\n\n')}\n`;
}

/** @param {string} title @param {Named[]} entries */
const listText = (title, entries) =>
  entries.length === 0 ? '' : `${title}:\n\n${entries.map(entryText).join('\n')}`;

/** @param {Named} entry */
const entryText = ({ name, description = '' }) =>
  `- \`${name}\`${description ? `: ${description.replaceAll(/\s+/g, ' ')}` : ''}`;
