// What each part may weigh, minified and gzipped, in bytes. A page pays for `transport`, `client`,
// `runtime` and the elements that it uses before it shows anything; the worker loads beside it.

const later = [
  'activity',
  'connection',
  'consent',
  'file-drop',
  'note-editor',
  'prompt-menu',
  'resource-picker',
  'template-form',
  'tool-form',
  'wire',
]
  .map((name) => `elements/mcp-${name}`)
  .concat(
    [
      'code-portions',
      'markdown-portions',
      ...['hex', 'html', 'json', 'media', 'pdf', 'table'].map((kind) => `mcp-view-${kind}`),
    ].map((name) => `elements, ${name} later`),
  );

/** @type {Record<string, number>} a part without a budget is only measured */
export const budgets = {
  transport: 1_500,
  'transport, in a frame': 3_200,
  'transport, all of it': 6_500,
  client: 5_500,
  'client with transport': 5_500,
  // Three quarters of it are of the client too: beside the client, it adds 1.6 kB.
  'client/sdk': 6_250,
  'client/context': 3_000,
  'client/tools': 4_500,
  // Most of it is what `client/tools` has, too.
  'client/web-mcp': 5_700,
  // Fairness among ports, a validator of schemas and both eras are in it.
  protocol: 15_000,
  'protocol, for templates of resources': 2_700,
  'client, for questions later': 1_000,
  // It holds transport, client and comlink: all that a page needs without elements.
  runtime: 10_000,
  'runtime, for frames later': 3_800,
  'runtime, for desktop apps later': 4_000,
  // A YAML parser, once an import needs it.
  'runtime, for front matter later': 14_500,
  // Once for each bridge.
  'runtime, for pairing later': 1_100,
  // With Lit. The goal is for what the page of an app loads, so it is measured in an app that Vite has
  // built, the bundler of most of them; the figure of esbuild, which it was for, has the same goal.
  'provider, list and view': 22_000,
  'provider, list and view, by esbuild': 22_000,
  // Each of the others, and each part of the view, loads when it is needed.
  ...Object.fromEntries(later.map((part) => [part, 25_000])),
  worker: 85_000,
};

/**
 * What parts that miss their budget may weigh until they keep it. They are named as over it in every
 * run, and may grow no further.
 *
 * They went over it when content of any size was to leave the page usable (texts in portions, base64
 * and drawings in slices), when whatever a server sends was to be checked, when a start was to say what
 * it waits for, and when limits were to hold for each holder.
 * @type {Record<string, number>}
 */
export const ceilings = {
  // A good kB of it are the names and types of all fields that a server may get wrong.
  // 50 bytes save each call a timer and a signal, and the last 55 take 10,000 entries of an answer and
  // count the others.
  client: 6_640,
  // The last 10 bytes know that a worker of another build cannot be tried again.
  'client with transport': 6_900,
  // The bound of entries is in it, too.
  'client/sdk': 6_270,
  // 500 of each find out the encoding of a text, and 170 count every string that goes out. Tools also
  // give odd names of arguments back as the server has them, and leave out those that no model may call.
  'client/context': 3_550,
  'client/tools': 5_370,
  'client/web-mcp': 6_530,
  // The last 700 bytes answer each request whatever an app's own hooks throw, and check what a client
  // answers to a question. 800 check what an app defines and gives, bind states to their
  // request, and are logs, updates and notifications. 230 give clients of older revisions lists of tools
  // that they can read, and refuse results that JSON does not have; 180 ask them by forms of their revision.
  protocol: 23_120,
  // The last 100 bytes are `storage.persist()` in Firefox, where the user may leave it without an answer,
  // and 150 what keeps a page that was left in WebKit from holding the data of all others. 200 start a
  // worker whose file is on another origin, and name more causes of a failure, and 50 load what serves
  // desktop apps. 120 load the YAML parser, and say what a worker function must return. 22 give a page
  // the number of a connection, so that it need not guess who has changed a note. 260 are what esbuild takes
  // to split off what the parts that are loaded later share with it. 420 refuse a worker of another build,
  // tell a new deployment from a lost connection, and print the hint of a failure.
  runtime: 14_700,
  // The same, and 20 bytes are the origins of webviews.
  'runtime, for frames later': 3_890,
  // Its classes: closures have shorter names, and nobody could read them.
  'runtime, for desktop apps later': 4_420,
  // 450 bytes say of a part that cannot be loaded whether it is gone, because the app was deployed again,
  // and offer to reload the page. 170 say in words what a resource is, and simpler icons give 190 back. 20
  // tell results of the same name apart. 100 open the row that was pressed, wherever the list has moved it.
  'provider, list and view': 22_150,
  // esbuild knows no shorter names for what modules share, and splits what is loaded later into more
  // chunks than Vite. 20 are one function that puts facts in a line, for the list and the head of the view.
  'provider, list and view, by esbuild': 23_670,
  // The search among tools, fields for values of one of several schemas, and 200 bytes which show a long
  // line in a field only when the user asks for it, as the browser lays it out for up to 12 s.
  'elements/mcp-tool-form': 28_430,
  // What Obsidian, GitHub and models write beside Markdown; 240 of it are links and images of HTML.
  'elements, markdown-portions later': 27_540,
  // Half of it are the store and what it imports: 4.2 kB know media types by name, 4.2 by content.
  // 80 bytes name the file with the licences. 750 are a search that forgives accents and a typing error
  // and `notes.restore`, and 450 the types of text and code by their names. 1,000 check what an app
  // defines and gives to `protocol`. 2.9 kB find out the encoding of a text: the worker is one file, so
  // it cannot load that later. 3.0 kB read archives that other programs have packed again and notes that
  // they have changed, write names that every system unpacks, search while two versions are open, and keep
  // denials in the activity log. 20 let a store have pieces of another size.
  // 500 are the last of `protocol`, above.
  // 10 name the build. The last 840 reserve space on the disk and look for room before each open: on a
  // full disk, Chromium deletes all data otherwise (docs/decisions/0058).
  worker: 97_600,
};
