// Types for the templates of React, Preact, Solid, Vue and Svelte. A page that does not import one of them does not
// need the types of that framework.

/** @typedef {import('./manifest-types.mjs').Element} Element */

/** The common beginning of all of them. A mapped type keeps the docs of the fields. */
const common = (/** @type {Element[]} */ elements) => `// Generated from the elements.
${elements.map(({ name, path }) => `import type { ${name} } from '${inDist(path)}';`).join('\n')}

type Fields<Element, Names extends keyof Element> = {
  [Name in Names]?: Element[Name] | undefined;
};
type Attributes<Names extends string> = {
  [Name in Names]?: string | number | boolean | undefined;
};
type EventOf<Name> = Name extends keyof GlobalEventHandlersEventMap
  ? GlobalEventHandlersEventMap[Name]
  : Event;
`;

/**
 * The types of a framework that has the attributes of HTML as an object for each tag.
 * @param {Element[]} elements
 * @param {object} framework
 * @param {string} framework.imports the line that imports its types
 * @param {string} framework.attributes the type of the attributes of any element, as a union or an intersection
 * @param {boolean} [framework.hasExplicitProperties] whether a template may also name a property with `prop:`
 * @param {string} [framework.listener] the property for an event. Default: its name after `on`
 * @param {string} framework.declaration where its types list the tags, with `ENTRIES` in their place
 */
const tagTypes = (
  elements,
  { imports, attributes, hasExplicitProperties, listener = 'on${Name}', declaration },
) => `${common(elements)}
${imports}

type Listeners<Names extends string> = {
  [Name in Names as \`${listener}\`]?: ((event: EventOf<Name>) => void) | undefined;
};
type Props<
  Element extends HTMLElement,
  Names extends keyof Element,
  Events extends string,
  Others extends string = never,
> = ${attributes} &
  Fields<Element, Names> &${
    hasExplicitProperties
      ? '\n  { [Name in Names as `prop:${string & Name}`]?: Element[Name] | undefined } &'
      : ''
  }
  Listeners<Events> &
  Attributes<Others>;

${declaration.replace('ENTRIES', () => entries(elements, (element) => `Props<${parameters(element)}>`))}
`;

/** @param {Element[]} elements */
export const reactTypes = (elements) =>
  tagTypes(elements, {
    imports: "import type { DetailedHTMLProps, HTMLAttributes } from 'react';",
    attributes: 'Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, Names>',
    declaration: inJsx('react'),
  });

/** @param {Element[]} elements */
export const preactTypes = (elements) =>
  tagTypes(elements, {
    imports: "import type { ClassAttributes, HTMLAttributes } from 'preact';",
    attributes: 'Omit<HTMLAttributes<Element>, Names> &\n  ClassAttributes<Element>',
    declaration: inJsx('preact'),
  });

/**
 * The types for Solid, which listens to events of custom elements with `on:`, and sets properties with
 * `prop:`.
 * @param {Element[]} elements
 */
export const solidTypes = (elements) =>
  tagTypes(elements, {
    imports: "import type { JSX } from 'solid-js';",
    attributes: 'Omit<JSX.HTMLAttributes<Element>, Names>',
    hasExplicitProperties: true,
    listener: 'on:${Name}',
    declaration: inJsx('solid-js'),
  });

/** @param {Element[]} elements */
export const svelteTypes = (elements) =>
  tagTypes(elements, {
    imports: "import type { HTMLAttributes } from 'svelte/elements';",
    attributes: 'Omit<HTMLAttributes<Element>, Names>',
    declaration: `declare module 'svelte/elements' {
  interface SvelteHTMLElements {
ENTRIES
  }
}`,
  });

/** @param {string} framework the name of its package */
const inJsx = (framework) => `declare module '${framework}' {
  namespace JSX {
    interface IntrinsicElements {
ENTRIES
    }
  }
}`;

/** @param {Element[]} elements */
export const vueTypes = (elements) => `${common(elements)}
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';

type Listeners<Names extends string> = {
  [Name in Names as \`on\${Capitalize<CamelCase<Name>>}\`]?:
    | ((event: EventOf<Name>) => void)
    | undefined;
};
type CamelCase<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\`
  ? \`\${First}\${Capitalize<CamelCase<Rest>>}\`
  : Name;
type Component<
  Element extends HTMLElement,
  Names extends keyof Element,
  Events extends string,
  Others extends string = never,
> = new () => Element & {
  /** @deprecated Only for the types of templates: no element has it. */
  $props: HTMLAttributes &
    Fields<Element, Names> &
    Listeners<Events> &
    Attributes<Others> &
    PublicProps;
  /** @deprecated Only for the types of templates: no element has it. */
  $emit: EmitFn<{ [Name in Events]: (event: EventOf<Name>) => void }>;
};

declare module 'vue' {
  interface GlobalComponents {
${entries(elements, (element) => `Component<${parameters(element)}>`)}
  }
}
`;

/** @param {Element[]} elements @param {(element: Element) => string} typeOf */
const entries = (elements, typeOf) =>
  elements
    .map((element) => `${comment(element)}      '${element.tagName}': ${typeOf(element)};`)
    .join('\n');

/** The class, its writable fields, its events, and attributes that have another name than their field. */
function parameters(/** @type {Element} */ element) {
  const { name, members = [], events = [], attributes = [] } = element;
  const fields = members.filter(({ kind, readonly }) => kind === 'field' && !readonly);
  const others = attributes.filter((attribute) => attribute.name !== attribute.fieldName);
  const lists = [fields, events, ...(others.length > 0 ? [others] : [])];
  return [name, ...lists.map(union)].join(', ');
}

/** @param {{ name: string }[]} named */
const union = (named) => named.map(({ name }) => `'${name}'`).join(' | ') || 'never';

/** @param {Element} element */
function comment({ description = '' }) {
  const lines = description.replaceAll('*/', '*\\/').split('\n');
  const text = ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'];
  return text.map((line) => `      ${line}\n`).join('');
}

/** @param {string} path of a published module */
const inDist = (path) => path.replace(/^dist\//, './');
