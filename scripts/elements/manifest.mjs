// The custom elements manifest of packages/elements: the API of each element, read from its source and the
// docblock of its class. All other files for editors and frameworks are generated from it, so a new element
// needs no entry anywhere.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { inRoot } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';

const folder = inRoot('packages/elements');

/**
 * @typedef {import('./manifest-types.mjs').Manifest} Manifest
 * @typedef {import('./manifest-types.mjs').Module} Module
 * @typedef {import('./manifest-types.mjs').Element} Element
 */

/** The manifest, with the paths of the published modules. */
export function elementsManifest() {
  // Renderers are parts of <mcp-resource-view>, not elements for pages.
  const files = sourceFiles(`${folder}/src`).filter((path) => !/[\\/]renderers[\\/]/.test(path));
  const sources = files.map(sourceFile);
  const plugins = [...litPlugin(), eventTypes(), namedLiterals()];
  const { modules } = /** @type {Manifest} */ (create({ modules: sources, plugins }));
  const shown = modules.map(publishedModule).filter(({ declarations }) => declarations.length > 0);
  return {
    schemaVersion: '1.0.0',
    readme: 'README.md',
    modules: [...shown, ...definitions(shown)],
  };
}

/**
 * The elements, in the order of their names.
 * @param {Manifest} manifest
 * @returns {Element[]}
 */
export const elementsOf = ({ modules }) =>
  modules
    .flatMap(({ declarations, path }) => declarations.map((one) => ({ ...one, path })))
    // Their base class, which has no tag, is not an element.
    .filter(({ customElement, tagName }) => customElement && tagName)
    .map((element) => /** @type {Element} */ (element))
    .toSorted((a, b) => (a.tagName < b.tagName ? -1 : 1));

/** @param {string} path */
const sourceFile = (path) =>
  ts.createSourceFile(
    relative(folder, path).replaceAll('\\', '/'),
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.ESNext,
    true,
  );

/** Gives each event the type that `GlobalEventHandlersEventMap` declares for its name. */
function eventTypes() {
  /** @type {Map<string, string>} */
  const types = new Map();
  return {
    name: 'event-types',
    /** @param {import('@custom-elements-manifest/analyzer').CollectPhase} phase */
    collectPhase({ node }) {
      if (!ts.isInterfaceDeclaration(node)) return;
      if (node.name.text !== 'GlobalEventHandlersEventMap') return;
      for (const { name, type } of node.members.filter(ts.isPropertySignature))
        if (ts.isStringLiteral(name) && type) types.set(name.text, type.getText());
    },
    /** @param {{ customElementsManifest: Manifest }} phase */
    packageLinkPhase({ customElementsManifest }) {
      for (const { events = [] } of elementsOf(customElementsManifest))
        for (const event of events) event.type = { text: types.get(event.name) ?? 'Event' };
    },
  };
}

/** Replaces the name of a type such as `type Layout = 'stack' | 'columns'` by the texts that it allows. */
function namedLiterals() {
  /** @type {Map<string, string>} */
  const types = new Map();
  return {
    name: 'named-literals',
    /** @param {import('@custom-elements-manifest/analyzer').CollectPhase} phase */
    collectPhase({ node }) {
      if (!ts.isTypeAliasDeclaration(node)) return;
      const text = node.type.getText().replaceAll(/\s+/g, ' ').replace(/^\| /, '');
      if (/^'[^']*'( \| '[^']*')*$/.test(text)) types.set(node.name.text, text);
    },
    /** @param {{ customElementsManifest: Manifest }} phase */
    packageLinkPhase({ customElementsManifest }) {
      for (const { attributes = [], members = [] } of elementsOf(customElementsManifest))
        for (const { type } of [...attributes, ...members])
          if (type) type.text = type.text.replace(/^\w+/, (name) => types.get(name) ?? name);
    },
  };
}

/** @param {Module} module */
const publishedModule = ({ path, declarations, exports, ...module }) => ({
  ...module,
  path: published(path),
  declarations: declarations.filter(isPublic).map(publicParts),
  exports: exports.map(({ declaration, ...one }) => ({
    ...one,
    declaration: { ...declaration, ...(declaration.module && { module: published(path) }) },
  })),
});

/** @param {string} path of a source */
const published = (path) => path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');

/** @param {import('./manifest-types.mjs').Declaration} declaration */
const isPublic = ({ tagName, superclass }) => tagName || superclass?.name === 'Event';

/**
 * A declaration without the parts that pages cannot use. The analyzer also takes the first argument of a
 * constructor for the name of an event; the real ones are documented.
 * @param {import('./manifest-types.mjs').Declaration} declaration
 */
function publicParts({ members = [], events, ...declaration }) {
  return {
    ...declaration,
    members: members.filter(
      ({ privacy = 'public', static: isStatic }) => privacy === 'public' && !isStatic,
    ),
    ...(events && { events: events.filter(({ description }) => description) }),
  };
}

/**
 * The modules that define one element each: the analyzer sees only `customElements.define`.
 * @param {Module[]} modules
 */
const definitions = (modules) =>
  elementsOf({ modules }).map(({ tagName, name, path }) => ({
    kind: 'javascript-module',
    path: `dist/define/${tagName}.js`,
    declarations: [],
    exports: [
      { kind: 'custom-element-definition', name: tagName, declaration: { name, module: path } },
    ],
  }));
