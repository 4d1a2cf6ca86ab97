// The budget of each part, minified and gzipped, in bytes. A page pays for `transport`, `client`, `runtime`
// and the elements that it uses before it shows anything; the worker loads in parallel.

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
  // In addition to the client, the goal was 2.5 kB.
  'client with app': 8_000,
  // Three quarters of it belong to the client, too: in addition to the client, it has 1.6 kB.
  'client/sdk': 6_250,
  'models, toContext': 3_000,
  'models, toTools': 4_500,
  // Most of it is in `toTools`, too.
  'models/web-mcp': 5_700,
  // It includes fairness among ports, a validator of schemas, and both eras.
  protocol: 15_000,
  'protocol, for templates of resources': 2_700,
  'client, for questions later': 1_000,
  // It includes transport, client and comlink: everything that a page needs without elements.
  runtime: 10_000,
  'runtime, for frames later': 3_800,
  'runtime, for desktop apps later': 4_000,
  // This is a YAML parser, which is loaded when an import needs it.
  'runtime, for front matter later': 14_500,
  // This is loaded once for each bridge.
  'runtime, for pairing later': 1_100,
  // The size includes Lit. The goal is for the code that the page of an app loads, so it is measured in an
  // app built by Vite, which most apps use. The original goal was for esbuild, whose figure has the same
  // goal.
  'provider, list and view': 22_000,
  'provider, list and view, by esbuild': 22_000,
  // Each of the others, and each part of the view, loads when it is needed.
  ...Object.fromEntries(later.map((part) => [part, 25_000])),
  // This is all code that runs after the user has joined.
  sync: 20_000,
  'sync/couchdb': 3_000,
  // Nearly all of it is the client of NATS.
  'sync/nats': 65_000,
  worker: 85_000,
  'worker, for folders later': 5_000,
};

/**
 * The maximum sizes of parts that exceed their budget, until they keep it. Every run reports that they exceed
 * it, and they may not grow further.
 *
 * They exceeded it with four features: content of any size leaves the page responsive (texts in portions,
 * base64 and drawings in slices), all data from a server is checked, a start reports its progress, and limits
 * apply to each holder.
 * @type {Record<string, number>}
 */
export const ceilings = {
  // About 1 kB of it are the names and types of all fields that a server may get wrong. 50 bytes save a timer
  // and a signal for each call, and the last 55 accept 10,000 entries of an answer and count the others. 25
  // report that a stream was interrupted, and 70 declare that the page shows apps. 15 pass in the code that
  // asks the questions of a server: an app and the SDK leave it out, which saves them 300.
  // 90 give a client as many watches as the server permits.
  // 170 continue watches while a server is busy, connect again to a busy one, and report parts of what is watched.
  client: 7_010,
  // The last 10 bytes record that a worker of another build cannot be tried again. 25 copy a message once
  // more if it contains a proxy.
  // 20 let the other side of a watch port be measured.
  'transport, in a frame': 3_260,
  // 130 copy proxies, which the state of frameworks has.
  'client with transport': 7_390,
  // 1,600 are live resources for a host that offers none: subscriptions, a long poll, and the return of the
  // user. 200 check the facts that a host reports about itself. 25 send the messages of the app only to the
  // origin of its host, when that is known. 60 end a call after its total time, regardless of its progress.
  // 10 ask a slow host for its tools again.
  'client/app': 9_600,
  'client with app': 11_210,
  // 500 of each detect the encoding of a text, and 170 count every string that is sent. Tools also return
  // changed names of arguments as the server has them, and omit tools that no model may call. 500 check the
  // bytes of images, and omit those for which an API refuses the whole request. 540 measure images of all
  // kinds, also among many, and the whole request. 20 find a Blob that a server has sent without a
  // declaration of the client.
  // 20 put every title in one line.
  'models, toContext': 4_630,
  // 540 do the same, and 430 measure images; 100 give references of a schema a target. 250 keep an answer
  // within a request, and within the limits of many images.
  // 20 more judge what is sent after the images that are not.
  'models, toTools': 6_790,
  // The reasons are the same.
  // 60 call the tools of the present list.
  'models/web-mcp': 8_010,
  // The last 700 bytes answer each request regardless of exceptions in an app's own hooks, and check the
  // client's answers to a question. 800 check the definitions and results of an app, bind states to their
  // request, and are logs, updates and notifications. 230 give clients of older revisions lists of tools that
  // they can read, and refuse results that JSON does not have; 180 ask them by forms of their revision. 850
  // are apps: a third of it are the names of the extension. 850 check the definitions of an author, and omit
  // values for which official clients would refuse a whole list. The last 10 name the request of a log
  // message. 1,100 know the formats that official clients check, and 1,600 check each output before it is
  // sent, refuse schemas that would fail at each call, with the place, and give older clients only contents
  // that they know. 50 check each schema of an output only once. 280 check the facts that a server declares
  // about itself, arguments and methods, and omit entries that are invalid. 890 omit values from an answer
  // that no message can have, refuse more schemas that would fail at each call, name more members, and widen
  // more schemas for draft 7. 10 say in plainer English that a question was not answered.
  // 30 refuse a completion for another template, and count nothing after the end of a connection.
  protocol: 28_900,
  // More than half of it, 17,200, are the store, which every tab's worker has, too: a separate worker has to
  // load it again. 1,800 are `diff`, and the rest are keys, merges and the engine. 400 recognise entries that
  // this device has sent before the answer got lost. 700 read and write many entries in few requests, which
  // makes it twice as fast, and 500 compare the list of the server once a day. 840 check the room on the
  // disk, as in `worker`. The last 20 bytes name deleted entries. 220 are the turns and the texts of a slow
  // transaction, as in `worker`. 30 delete entries that may have arrived. 740 use the names of versions to
  // find the relation of two versions on a server that has gone back. 190 let a write be recorded and a
  // deletion be tried twice, as in `worker`, and are two object stores. 1,150 find unneeded pieces of files,
  // and delete them. 100 are more careful after a full disk. 240 are two more classes, for received entries,
  // and the steps of a marking that two tabs may do. 540 write again what a server has lost: its keys, single
  // pieces, and long texts under their own names. 150 leave a device unlocked that was let in again, and are a
  // class for the list of devices. 160 keep files without a digest, rivals and recovery codes, and go on where
  // a file cannot be read. 1,020 lock a device at the new key, transfer four pieces at once, remember what cannot
  // be opened, write again what was emptied or damaged, keep what cannot be merged yet, and see that an entry
  // was deleted and made again. 140 keep rivals until they are merged, and leave keys that nobody can open.
  // 50 are a class for the rivals.
  sync: 38_380,
  // 650 read everything that a template can write: lists between others, expressions next to each other,
  // repeated names. 100 put the small lists of several parts on one page. 1,510 check a template where it is
  // defined, by code that `protocol` has, too. 240 list the other parts if one fails, and recognise a value
  // by its beginning.
  'protocol, for templates of resources': 5_220,
  // 300 read writes that nodes of a cluster have accepted independently, and 250 read many changes in several
  // answers. 400 write waiting documents in one request, which makes a first push six times as fast. 120 list
  // pieces, and write and delete them by their versions; 10 are its four files instead of one. 30 ask for fewer
  // records where a server refuses many.
  'sync/couchdb': 4_040,
  // The last 100 bytes are `storage.persist()` in Firefox, where the user may leave it without an answer, and
  // 150 prevent that a page which was left in WebKit blocks the data of all others. 200 start a worker whose
  // file is on another origin, and name more causes of a failure, and 50 load the code that serves desktop
  // apps. 120 load the YAML parser, and name the required result of a worker function. 22 give a page the
  // number of a connection, so that it need not guess who has changed a note. 260 are the cost in esbuild of
  // splitting off the code that parts loaded later share with it. 420 refuse a worker of another build,
  // distinguish a new deployment from a lost connection, and print the hint of a failure. 810 mount folders
  // of the disk, and check after the start, without loading anything, whether some are kept. 60 declare that
  // the page shows apps, and 130 add features, on each new worker again. 25 report that a stream was
  // interrupted. 330 load and open the sync with other devices. 270 copy proxies, which the state of
  // frameworks has, before they are sent to the worker or a port. 110 request the worker past the caches. 30
  // list and undo changes of clients.
  // 90 are the client, and 20 name a worker that has died while it started. 230 mount the folders of the disk
  // before the first call of a new worker, and share the errors of loading with their code.
  // 130 are those of the client.
  runtime: 16_960,
  // The reasons are the same, and 20 bytes are the origins of webviews. 45 report in Node, as in a test, that
  // no page exists.
  // 50 measure how long the messages on watch ports take to read.
  'runtime, for frames later': 4_000,
  // These are its classes: closures have shorter names, but are hard to read. 35 report the same in Node. 20
  // number the frames. 10 are the reasons why a value cannot be sent. 220 are a file of its own for the access to
  // small databases, which the folders load, too.
  'runtime, for desktop apps later': 4_720,
  // 450 bytes detect whether a part that cannot be loaded no longer exists, because the app was deployed
  // again, and offer to reload the page. 170 describe a resource by a text, and simpler icons save 190. 20
  // distinguish results with the same name. 190 give each folder of the disk a separate group, and load the
  // code that its tree needs. 60 open the row that was pressed, even if the list has drawn another one there
  // before the release. 10 name the connection that made a change. 50 recognise a server that does not have
  // the list that it has declared. 370 show in the provider why it has no client, 200 are the texts for
  // documents, sheets and archives. The other 450 came with the way of measuring: a folder with a page, as
  // Vite builds it. 10 scroll to the whole ring of a row that is higher than the others. 20 know the last
  // moment of MCP.
  'provider, list and view': 23_490,
  // esbuild has no shorter names for code that modules share, and splits code that is loaded later into more
  // chunks than Vite. 20 are one function that puts facts in a line, for the list and the head of the view,
  // 15 make the selection readable in forced colours, and 10 delay lines that the search would move. 160 are
  // folders of the disk. 40 open the row that was pressed. 40 recognise a server that does not have the list
  // that it has declared. 610 are those of the figure above.
  'provider, list and view, by esbuild': 24_450,
  // It has the search among tools, fields for values of one of several schemas, and 200 bytes which show a
  // long line in a field only when the user requests it, because the browser lays it out for up to 12 s. 220
  // show the app of a result, if the page has its element. 580 show the options first that are ticked in
  // advance, with their number, and count invisible characters in a text that the user has to accept. 110
  // show that a server has refused its list, or does not have it. 110 are the texts for documents, sheets and
  // archives. 80 recognise dates that do not exist. 90 keep choices next to a list of one schema, and count
  // only the problems that are shown.
  'elements/mcp-tool-form': 29_730,
  // It has the syntax that Obsidian, GitHub and models write in addition to Markdown; 240 of it are links and
  // images of HTML, 580 are bold text without spaces around it, and more syntax of Notion, Obsidian and
  // models. 70 show an image in code once, however often its place is named.
  // 20 leave a loaded image to its address.
  'elements, markdown-portions later': 28_220,
  // Half of it are the store and its imports: 4.2 kB know media types by name, 4.2 by content. 80 bytes name
  // the file with the licences. 750 are a search that forgives accents and a typing error and
  // `notes.restore`, and 450 the types of text and code by their names. 1,000 check the definitions and
  // results that an app gives to `protocol`. 2.9 kB detect the encoding of a text: the worker is one file, so
  // it cannot load that later. 3.0 kB read archives that other programs have packed again and notes that they
  // have changed, write names that every system unpacks, search while two versions are open, and keep denials
  // in the activity log. 20 let a store have pieces of another size. 500 are the last of `protocol`, above.
  // The last 10 name the build. 1,020 include folders of the disk, decide which guests see them and list
  // their tools, and let three tools write there. 850 are the apps of `protocol`, and 310 the scripts of
  // features. 40 let the page provide the state of a sync. 70 let a database end its transactions before its
  // worker ends. 840 reserve space on the disk and check the room before each open: on a full disk, Chromium
  // deletes all data otherwise (docs/decisions/0063). 840 import data that other programs have changed:
  // files, lines that are not fields, archives without a manifest; 70 open a database once more that the
  // browser closes, and 100 name the entry that a tool has written. 850 are those of `protocol`, and 600 read
  // parts of a resource by a tool; 70 hash a new file of an archive once, not twice. 30 name the request of a
  // log message. 2,730 are the outputs, schemas and contents of `protocol`. 1,440 let the index take turns
  // with large writes, report what a search has not read, read several entries at once, compare sizes before
  // bytes in an import, and distinguish cleared data from a full disk. 60 check each schema of an output only
  // once. 20 retry once what a full disk has refused. 3,940 keep the changes of clients, with limits and a
  // share for each, list them and undo them: the transaction for this exists only here. 290 are those of
  // `protocol`. 890 more are those of `protocol`, and 920 find the export in an archive with other files,
  // import it with a manifest that cannot be read, and keep the part of a note that cannot be read. 80 are
  // more careful after a full disk.
  // 100 take no entry for damaged while nothing can be read, announce a busy folder, and count the changes of
  // frames without an origin together. 50 name the folders' code that could not be loaded. 230 see that a file
  // was deleted and made again. 110 lose no byte between two parts of a text, and give imported copies new
  // revisions.
  worker: 113_090,
  // Half of it lists and reads, a fifth writes, and the rest mounts, watches and searches. 390 let one write of
  // a file wait for another, and give reasons for the errors of writes.
  'worker, for folders later': 8_310,
};
