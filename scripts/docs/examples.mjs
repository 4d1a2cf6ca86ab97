// The examples of a page that a reader can edit and run: whole pages, made of its blocks of code.
import { parseSync } from 'oxc-parser';

/** Matches the modules that an example may import, because its frame has them. */
const OFFERED =
  /^(@inpage-mcp\/(elements(\/(?!react|vue|svelte|solid|preact)[\w/-]+)?|client(\/(tools|context))?|transport|runtime)|\.\/inpage-mcp\/inpage-mcp\.js)$/;

/** Matches the features that the runtime of the page does not offer to a frame. */
const NOT_OFFERED = /\b(serveFrames|serveDesktop|provide|storage|confirm|restoreDrafts)\b[(.:]/;

const SCENE = `<mcp-provider>
  <mcp-resource-list style="block-size: 12rem"></mcp-resource-list>
  <mcp-resource-view></mcp-resource-view>
</mcp-provider>
`;

/** The code for a sample of an element without its own script, so that the element shows something. */
const SET_CLIENT = `import '@inpage-mcp/elements';
import { startRuntime } from '@inpage-mcp/runtime';

const runtime = await startRuntime();
`;

/** Composes the examples of one page, from its blocks in their order. */
export class Examples {
  #markup = '';

  /**
   * The page of a block of code together with those before it; undefined if it is not complete.
   * @param {string} language of the block, as its fence says
   * @param {string} code
   * @param {string} nextLanguage of the block that follows immediately; empty if no block follows immediately
   * @returns {string | undefined}
   */
  next(language, code, nextLanguage) {
    if (language === 'css') {
      const markup = this.#markup || SCENE;
      return `<style>\n${code.trim().replaceAll(/^(?=.)/gm, '  ')}\n</style>\n\n${markup}${script(clientOf(markup))}`;
    }
    // A block that quotes a file is a whole page.
    if (/^html\b/.test(language)) return this.#ofMarkup(code, nextLanguage);
    if (!['ts', 'js'].includes(language)) return undefined;
    const runnable = withoutTypes(code);
    return runnable && `${this.#markup}${script(runnable)}`.trimStart();
  }

  /** @param {string} code @param {string} nextLanguage */
  #ofMarkup(code, nextLanguage) {
    if (code.includes('<script')) return code.includes('</body>') ? code : undefined;
    this.#markup = code;
    // A script follows, so both are one example.
    return nextLanguage === 'ts' ? undefined : code + script(clientOf(code));
  }
}

/** @param {string} code */
const script = (code) =>
  `\n<script type="module">\n${code.trim().replaceAll(/^(?=.)/gm, '  ')}\n</script>\n`;

/** @param {string} markup */
function clientOf(markup) {
  if (markup.includes('<mcp-provider'))
    return `${SET_CLIENT}document.querySelector('mcp-provider').client = await runtime.connect();\n${
      markup === SCENE ? FOLLOW_SELECTION : ''
    }`;
  const tags = [...new Set([...markup.matchAll(/<(mcp-[\w-]+)/g)].map(([, tag]) => tag))];
  const lines = tags.map((tag) => `document.querySelector('${tag}').client = client;\n`);
  return `${SET_CLIENT}const client = await runtime.connect();\n${lines.join('')}`;
}

const FOLLOW_SELECTION = `const view = document.querySelector('mcp-resource-view');
addEventListener('mcp-resource-select', ({ resource }) => (view.uri = resource.uri));
`;

/**
 * A script without its types; undefined if it is not complete: if it exports something for others, or needs a
 * feature that the frame of an example does not have.
 * @param {string} code
 * @returns {string | undefined}
 */
function withoutTypes(code) {
  const { program, errors } = parseSync('example.ts', code);
  /** @type {any[]} */
  const body = program.body;
  const imports = body.filter(
    ({ type, importKind }) => type === 'ImportDeclaration' && importKind !== 'type',
  );
  const isWhole =
    errors.length === 0 &&
    !NOT_OFFERED.test(code) &&
    imports.length > 0 &&
    imports.every(({ source }) => OFFERED.test(source.value)) &&
    !body.some(({ type }) => type.startsWith('Export'));
  if (!isWhole) return undefined;
  /** @type {[start: number, end: number][]} */
  const removed = [];
  findTypes(program, removed);
  // The parts are removed from the end, so that the earlier positions stay true.
  const places = removed.toSorted(([first], [second]) => second - first);
  return places.reduce((text, [start, end]) => text.slice(0, start) + text.slice(end), code);
}

/** Finds the parts that are only for the compiler. @param {any} node @param {[number, number][]} removed */
function findTypes(node, removed) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const one of node) findTypes(one, removed);
    return;
  }
  const { type, start, end, importKind } = node;
  if (type === 'ImportDeclaration' && importKind === 'type')
    return void removed.push([start, end + 1]);
  if (type === 'ImportSpecifier' && importKind === 'type')
    return void removed.push([start - 2, end]);
  if (/^TS(TypeAnnotation|TypeParameter|Interface|TypeAlias)/.test(type))
    return void removed.push([start, end]);
  if (type === 'TSNonNullExpression') removed.push([end - 1, end]);
  if (type === 'TSAsExpression') {
    removed.push([node.expression.end, end]);
    return findTypes(node.expression, removed);
  }
  for (const child of Object.values(node)) findTypes(child, removed);
}
