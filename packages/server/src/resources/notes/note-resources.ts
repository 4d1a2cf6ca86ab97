import {
  MAX_QUERY_LENGTH,
  type Note,
  type NoteMatch,
  type NoteSummary,
  type StoreChange,
  StoreError,
  type StoreView,
} from '@inpage-mcp/store';
import type { Resource, TextResourceContents } from '@inpage-mcp/protocol';
import { gather, MAX_GATHERED } from '../contents/gathered-contents.js';
import { ICONS } from '../icons.js';
import { completeNoteIds } from './note-completions.js';
import { ignoreNotFound } from '../ignore-not-found.js';
import { annotationsOf, contentMeta } from '../resource-annotations.js';
import type { ProviderHost } from '../provider-host.js';
import {
  BadPositionError,
  type ProviderCall,
  type ResourceChange,
  type ResourceContents,
  type ResourceProvider,
} from '../resource-provider.js';
import {
  NOTE_URI_PREFIX,
  NOTE_URI_TEMPLATE,
  noteUri,
  parseResourceUri,
  SEARCH_URI_PREFIX,
  SEARCH_URI_TEMPLATE,
} from '../resource-uris.js';

const NOTE_MEDIA_TYPE = 'text/markdown';

/** The user's notes as resources: `note:///{id}`, newest first, and `note:///search{?q}`. */
export function notes(): (host: Pick<ProviderHost, 'store'>) => ResourceProvider {
  return ({ store }) => ({
    name: 'notes',
    templates: [
      {
        uriTemplate: NOTE_URI_TEMPLATE,
        name: 'note',
        title: 'Note',
        description: 'A note of the user, in Markdown, by its id.',
        mimeType: NOTE_MEDIA_TYPE,
        icons: ICONS.note,
      },
      {
        uriTemplate: SEARCH_URI_TEMPLATE,
        name: 'search',
        title: 'Search in notes',
        description:
          'The notes that hold all the words of q, or words that begin so; the best first.',
        mimeType: NOTE_MEDIA_TYPE,
        icons: ICONS.search,
      },
    ],
    async list({ after, limit }) {
      const page = await listNotes(store, after, limit);
      const resources = page.notes.map(noteResource);
      return page.next === undefined ? { resources } : { resources, next: page.next };
    },
    async read(uri, call) {
      const target = parseResourceUri(uri);
      if (target?.kind === 'search') return await readSearch(store, uri, target.query, call);
      if (target?.kind !== 'note') return undefined;
      const content = await readNote(store, target.id);
      return content && [content];
    },
    async complete({ uriTemplate, argument, value }, { signal }) {
      if (uriTemplate !== NOTE_URI_TEMPLATE || argument !== 'id') return { values: [], total: 0 };
      return await completeNoteIds(store, value, signal);
    },
    listen: (listener) =>
      store.changes.listen((changes, author) => {
        if (changes.some(({ kind }) => kind === 'everything')) return listener([ANY_NOTE], author);
        const own = changes.filter((change) => change.kind === 'note').map(noteChange);
        if (own.length > 0) listener([...own, ANY_SEARCH], author);
      }),
  });
}

/** A note in lists and links. */
export function noteResource(note: NoteSummary): Resource {
  const resource: Resource = {
    uri: noteUri(note.id),
    name: note.title || note.id,
    title: note.title || 'Untitled note',
    mimeType: NOTE_MEDIA_TYPE,
    size: note.size,
    annotations: annotationsOf(note),
  };
  if (note.firstLine !== '') resource.description = note.firstLine;
  return resource;
}

/**
 * The change for the case that any note may have changed or been deleted, and so may the result of any search.
 */
const ANY_NOTE: ResourceChange = { uri: NOTE_URI_PREFIX, listChanged: true, andLonger: true };

/** The change for the case that the result of any search may have changed. */
const ANY_SEARCH: ResourceChange = { uri: SEARCH_URI_PREFIX, listChanged: false, andLonger: true };

async function listNotes(store: StoreView, after: string | undefined, limit: number) {
  try {
    return await store.notes.list({ after, limit });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'invalid-argument')
      throw new BadPositionError();
    throw error;
  }
}

async function readNote(store: StoreView, id: string): Promise<ResourceContents | undefined> {
  const note = await ignoreNotFound(store.notes.get(id));
  return note && noteContents(note);
}

/** A note as it is read, with its own title, if any: an editor would write another title into the note. */
function noteContents(note: Note): TextResourceContents {
  const meta = contentMeta({ ...noteResource(note), title: note.title }, note.revision);
  return { uri: noteUri(note.id), mimeType: NOTE_MEDIA_TYPE, text: note.text, ...meta };
}

async function readSearch(
  store: StoreView,
  uri: string,
  query: string,
  call: ProviderCall,
): Promise<ResourceContents[] | undefined> {
  if (query.length > MAX_QUERY_LENGTH) return undefined;
  const { matches, total, unsearched } = await store.notes.search(query, {
    limit: MAX_GATHERED,
    signal: call.signal,
  });
  const nothing = 'No note holds all these words.';
  const rest = unsearched === undefined ? [] : [unsearchedContents(uri, unsearched)];
  if (total === 0) return [{ uri, mimeType: 'text/plain', text: nothing }, ...rest];
  const items = matches.map(({ note: { id, size } }: NoteMatch) => ({
    id,
    uri: noteUri(id),
    mimeType: NOTE_MEDIA_TYPE,
    size,
  }));
  const contents = await gather(uri, items, total, call, async (chosen) =>
    (await store.notes.getAll(chosen.map(({ id }) => id))).map(noteContents),
  );
  return [...contents, ...rest];
}

/** The key in the `_meta` of a content for the number of notes that could not be searched yet. */
const UNSEARCHED_META_KEY = 'io.github.inpage-mcp/unsearched';

function unsearchedContents(uri: string, count: number): ResourceContents {
  const text = `${count} notes, written lately, could not be searched yet: read this again later.`;
  return { uri, mimeType: 'text/plain', text, _meta: { [UNSEARCHED_META_KEY]: count } };
}

function noteChange(change: StoreChange): ResourceChange {
  return { uri: noteUri(change.key), listChanged: change.listingChanged };
}
