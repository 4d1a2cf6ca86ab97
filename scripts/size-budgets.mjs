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
  'client/app': 8_000,
  // Beside the client, it was to add 2.5 kB.
  'client with app': 8_000,
  // Three quarters of it are of the client too: beside the client, it adds 1.6 kB.
  'client/sdk': 6_250,
  'models, toContext': 3_000,
  'models, toTools': 4_500,
  // Most of it is what `toTools` has, too.
  'models/web-mcp': 5_700,
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
  // All that runs when the user has joined.
  sync: 20_000,
  'sync/couchdb': 3_000,
  // Nearly all of it is the client of NATS.
  'sync/nats': 65_000,
  worker: 85_000,
  'worker, for folders later': 5_000,
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
  // count the others. 25 report that a stream was interrupted, and 70 declare that the page shows apps.
  // 15 pass in what asks the questions of a server: an app and the SDK leave it out, which saves them 300.
  client: 6_750,
  // The last 10 bytes know that a worker of another build cannot be tried again.
  // 25 copy a message once more where it holds a proxy.
  'transport, in a frame': 3_230,
  // 130 copy what is a proxy, as the state of frameworks is.
  'client with transport': 7_140,
  // 1,600 are live resources where a host offers none: subscriptions, a long poll, and the return of the
  // user. 200 check what a host says of itself.
  // 25 send what the app says to its host's origin only, once that is known. 60 end a call after its whole
  // time, however much progress it reports.
  'client/app': 9_330,
  'client with app': 10_940,
  // 500 of each find out the encoding of a text, and 170 count every string that goes out. Tools also
  // give odd names of arguments back as the server has them, and leave out those that no model may call.
  // 500 look at the bytes of images, and leave out what an API refuses with the whole request.
  // 540 measure images of all kinds, also beside many, and the whole request.
  // 20 find a Blob that a server has sent, without a word of the client.
  'models, toContext': 4_610,
  // 540 do the same, and 430 measure images; 100 give references of a schema something to lead to.
  'models, toTools': 6_500,
  // The same.
  'models/web-mcp': 7_660,
  // The last 700 bytes answer each request whatever an app's own hooks throw, and check what a client
  // answers to a question. 800 check what an app defines and gives, bind states to their
  // request, and are logs, updates and notifications. 230 give clients of older revisions lists of tools
  // that they can read, and refuse results that JSON does not have; 180 ask them by forms of their revision.
  // 850 are apps: a third of it are the names of the extension.
  // 850 check what an author defines, and leave out what official clients would refuse a whole list for.
  // The last 10 name the request of a log message.
  // 1,100 know the formats that official clients check, and 1,600 say what leaves of an output, refuse schemas
  // that would fail at each call, with the place, and give older clients only contents that they know. 50 look at
  // each schema of an output once.
  // 280 check what a server says of itself, arguments and methods, and leave entries out that are none.
  // 890 leave out of an answer what no message can have, refuse more schemas that would fail at each call, name
  // more members, and widen more schemas for draft 7.
  protocol: 28_840,
  // More than half of it, 17,200, are the store, which every tab's worker has, too: a worker of its own has to
  // bring it again. 1,800 are `diff`, and the rest keys, merges and the engine.
  // 400 know again what this device has sent before its answer got lost. 700 read and write many entries in
  // few requests, which makes it twice as fast, and 500 compare the list of the server once a day. 840 look for
  // room on the disk, as in `worker`.
  // The last 20 bytes name what is deleted.
  // 220 are the turns and the words of a slow transaction, as in `worker`. 30 delete what may have arrived.
  // 740 tell by the names of versions what has become of what on a server that has gone back.
  // 190 let a write be recorded and a deletion be tried twice, as in `worker`, and are two object stores.
  // 1,150 find the pieces of files that nobody needs, and delete them. 100 are more careful after a full disk.
  // 240 are two classes more, for what comes, and the steps of a marking that two tabs may do.
  // 540 write again what a server has lost: its keys, single pieces, and long texts under their own names.
  sync: 36_840,
  // 650 read whatever a template can write: lists between others, expressions side by side, repeated names.
  // 100 put the small lists of several parts on one page.
  // 1,510 check a template where it is defined, by what `protocol` has, too.
  // 240 list the other parts where one fails, and know a value by its beginning.
  'protocol, for templates of resources': 5_190,
  // 300 read what nodes of a cluster have accepted apart, and 250 read many changes in several answers.
  // 400 write in one request what waits, which makes a first push six times as fast.
  // 120 list pieces, and write and delete them by their versions; 10 are its four files in the place of one.
  'sync/couchdb': 4_000,
  // The last 100 bytes are `storage.persist()` in Firefox, where the user may leave it without an answer,
  // and 150 what keeps a page that was left in WebKit from holding the data of all others. 200 start a
  // worker whose file is on another origin, and name more causes of a failure, and 50 load what serves
  // desktop apps. 120 load the YAML parser, and say what a worker function must return. 22 give a page
  // the number of a connection, so that it need not guess who has changed a note. 260 are what esbuild takes
  // to split off what the parts that are loaded later share with it. 420 refuse a worker of another build,
  // tell a new deployment from a lost connection, and print the hint of a failure.
  // 810 mount folders of the disk, and find out after the start, loading nothing, whether some are kept.
  // 60 declare that the page shows apps, and 130 add features, on each new worker again.
  // 25 report that a stream was interrupted.
  // 330 load and open the sync with other devices.
  // 270 copy what is a proxy, as the state of frameworks is, before it goes to the worker or onto a port. 110 ask
  // for the worker past the caches.
  // 30 list and undo what clients have changed.
  runtime: 16_490,
  // The same, and 20 bytes are the origins of webviews.
  // 45 say in Node, as in a test, that there is no page.
  'runtime, for frames later': 3_950,
  // Its classes: closures have shorter names, and nobody could read them.
  // 35 say the same in Node.
  // 20 number the frames.
  // 10 are the reasons of what cannot be sent.
  'runtime, for desktop apps later': 4_500,
  // 450 bytes say of a part that cannot be loaded whether it is gone, because the app was deployed again,
  // and offer to reload the page. 170 say in words what a resource is, and simpler icons give 190 back. 20
  // tell results of the same name apart.
  // 190 give each folder of the disk a group of its own, and load what its tree needs.
  // 60 open the row that was pressed, whatever the list has drawn there before the release. 10 say by which
  // connection a change was made.
  // 50 know a server that does not have the list that it has declared.
  // 370 say in the provider why there is no client, 200 are the words for documents, sheets and archives. The
  // other 450 came with the way of measuring: a folder with a page, as Vite builds it.
  // 10 scroll to the whole ring of a row that is higher than the others.
  // 20 know the last moment of MCP.
  'provider, list and view': 23_450,
  // esbuild knows no shorter names for what modules share, and splits what is loaded later into more
  // chunks than Vite. 20 are one function that puts facts in a line, for the list and the head of the view,
  // 15 make what is selected readable in forced colours, and 10 hold lines back that the search would move.
  // 160 are folders of the disk. 40 open the row that was pressed.
  // 40 know a server that does not have the list that it has declared.
  // Of these, 610.
  'provider, list and view, by esbuild': 24_430,
  // The search among tools, fields for values of one of several schemas, and 200 bytes which show a long
  // line in a field only when the user asks for it, as the browser lays it out for up to 12 s.
  // 220 show the app of a result, where the page has its element. 580 show the options first that are ticked
  // in advance, with their number, and count what cannot be seen in a text that is to be agreed to.
  // 110 say in words that a server has refused its list, or does not have it.
  // 110 are the words for documents, sheets and archives.
  'elements/mcp-tool-form': 29_510,
  // What Obsidian, GitHub and models write beside Markdown; 240 of it are links and images of HTML,
  // 580 words in bold without spaces around them, and what Notion, Obsidian and models write besides.
  'elements, markdown-portions later': 28_130,
  // Half of it are the store and what it imports: 4.2 kB know media types by name, 4.2 by content.
  // 80 bytes name the file with the licences. 750 are a search that forgives accents and a typing error
  // and `notes.restore`, and 450 the types of text and code by their names. 1,000 check what an app
  // defines and gives to `protocol`. 2.9 kB find out the encoding of a text: the worker is one file, so
  // it cannot load that later. 3.0 kB read archives that other programs have packed again and notes that
  // they have changed, write names that every system unpacks, search while two versions are open, and keep
  // denials in the activity log. 20 let a store have pieces of another size.
  // 500 are the last of `protocol`, above.
  // The last 10 name the build.
  // 1,020 have a place for folders of the disk, decide which guests see them and list their tools,
  // and let three tools write there.
  // 850 are the apps of `protocol`, and 310 the scripts of features. 40 let the page provide the state of a sync. 70 let a database
  // end its transactions before its worker ends.
  // 840 reserve space on the disk and look for room before each open: on a full disk, Chromium deletes all data
  // otherwise (docs/decisions/0063).
  // 840 import what other programs have changed: files, lines that are no fields, archives without a manifest;
  // 70 open a database once more that the browser closes, and 100 name what a tool has written.
  // 850 are those of `protocol`, and 600 read parts of a resource by a tool; 70 hash a new
  // file of an archive once, not twice.
  // 30 name the request of a log message.
  // 2,730 are the outputs, schemas and contents of `protocol`. 1,440 let the index take turns with large writes,
  // say what a search has not read, read several entries at once, compare sizes before bytes in an import, and
  // tell cleared data from a full disk. 60 look at each schema of an output once.
  // 20 try once more what a full disk has refused. 3,940 keep what clients change, with limits and a share for
  // each, list it and undo it: only here is that one transaction. 290 are those of `protocol`.
  // 890 more are those of `protocol`, and 920 find the export in an archive beside others, import it with a manifest
  // that cannot be read, and keep of a note what cannot be read. 80 are more careful after a full disk.
  worker: 112_490,
  // Half of it lists and reads, a fifth writes, and the rest mounts, watches and searches.
  'worker, for folders later': 7_930,
};
