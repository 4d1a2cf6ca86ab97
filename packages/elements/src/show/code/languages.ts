import type { StreamParser } from '@codemirror/streamparser';

type AnyParser = StreamParser<unknown>;
type Load = () => Promise<unknown>;

const mode = {
  clike: () => import('@codemirror/legacy-modes/mode/clike'),
  css: () => import('@codemirror/legacy-modes/mode/css'),
  javascript: () => import('@codemirror/legacy-modes/mode/javascript'),
  sql: () => import('@codemirror/legacy-modes/mode/sql'),
  xml: () => import('@codemirror/legacy-modes/mode/xml'),
};

/**
 * Each language by its names: extensions, the ends of media types, and the names that authors write in
 * Markdown.
 */
const LANGUAGES: readonly [names: string, load: Load][] = [
  ['js jsx mjs cjs javascript ecmascript node', async () => (await mode.javascript()).javascript],
  ['ts tsx mts cts typescript mp2t', async () => (await mode.javascript()).typescript],
  ['json jsonl jsonc json5 map', async () => (await mode.javascript()).json],
  ['css', async () => (await mode.css()).css],
  ['scss sass', async () => (await mode.css()).sCSS],
  ['less', async () => (await mode.css()).less],
  ['xml svg xsl xsd rss atom', async () => (await mode.xml()).xml],
  ['html htm xhtml vue svelte', async () => (await mode.xml()).html],
  ['c h csrc', async () => (await mode.clike()).c],
  ['cpp cc cxx hpp c++ c++src', async () => (await mode.clike()).cpp],
  ['cs csharp c#', async () => (await mode.clike()).csharp],
  ['java', async () => (await mode.clike()).java],
  ['kt kts kotlin', async () => (await mode.clike()).kotlin],
  ['scala', async () => (await mode.clike()).scala],
  ['dart', async () => (await mode.clike()).dart],
  ['sql', async () => (await mode.sql()).standardSQL],
  ['py python', async () => (await import('@codemirror/legacy-modes/mode/python')).python],
  [
    'sh bash zsh shell console shellscript',
    async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  ],
  ['yaml yml', async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml],
  ['toml', async () => (await import('@codemirror/legacy-modes/mode/toml')).toml],
  ['rb ruby', async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby],
  ['go golang', async () => (await import('@codemirror/legacy-modes/mode/go')).go],
  ['rs rust rustsrc', async () => (await import('@codemirror/legacy-modes/mode/rust')).rust],
  ['swift', async () => (await import('@codemirror/legacy-modes/mode/swift')).swift],
  ['lua', async () => (await import('@codemirror/legacy-modes/mode/lua')).lua],
  ['pl perl', async () => (await import('@codemirror/legacy-modes/mode/perl')).perl],
  ['r', async () => (await import('@codemirror/legacy-modes/mode/r')).r],
  [
    'ps1 powershell',
    async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell,
  ],
  [
    'dockerfile docker',
    async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
  ],
  [
    'ini conf properties env',
    async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  ],
  ['diff patch', async () => (await import('@codemirror/legacy-modes/mode/diff')).diff],
];

const LOADERS: ReadonlyMap<string, Load> = new Map(
  LANGUAGES.flatMap(([names, load]) => names.split(' ').map((name) => [name, load])),
);

/** The name of the language of contents, from their type or otherwise their name; '' for none. */
export function languageOf(mimeType: unknown, uri: unknown): string {
  const type = typeof mimeType === 'string' ? mimeType.slice(0, 200).toLowerCase() : '';
  const name = typeof uri === 'string' ? uri.slice(-64).toLowerCase() : '';
  const ofType = /[/+](?:x-)?(\w+(?:\+\+\w*|#)?)(?:;|$)/.exec(type)?.[1] ?? '';
  // The names of files distinguish dialects that share a type.
  const ofName = /[./](\w{1,12})$/.exec(name)?.[1] ?? '';
  if (LOADERS.has(ofName)) return ofName;
  return LOADERS.has(ofType) ? ofType : '';
}

/** Loads the parser of a language; `undefined` if it does not exist or its module cannot be loaded. */
export async function loadLanguage(name: string): Promise<AnyParser | undefined> {
  const load = LOADERS.get(name.toLowerCase());
  return (await load?.().catch(() => undefined)) as AnyParser | undefined;
}
