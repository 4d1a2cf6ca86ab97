import { StoreError, type NoteSummary, type Store, type StoreChange } from '@inpage-mcp/store';
import type { Resource } from '@modelcontextprotocol/server';
import {
  BadPositionError,
  type ResourceChange,
  type ResourceContents,
  type ResourceProvider,
} from './resource-provider.js';
import { NOTE_URI_TEMPLATE, noteUri, parseResourceUri } from './resource-uris.js';

const NOTE_MEDIA_TYPE = 'text/markdown';

/** The user's notes as resources: `note:///{id}`, newest first. */
export function notes(): (store: Store) => ResourceProvider {
  return (store) => ({
    name: 'notes',
    templates: [
      {
        uriTemplate: NOTE_URI_TEMPLATE,
        name: 'note',
        title: 'Note',
        description: 'A note of the user, in Markdown, by its id.',
        mimeType: NOTE_MEDIA_TYPE,
      },
    ],
    async list({ after, limit }) {
      const page = await listNotes(store, after, limit);
      const resources = page.notes.map(noteResource);
      return page.next === undefined ? { resources } : { resources, next: page.next };
    },
    read: (uri) => readNote(store, uri),
    listen: (listener) =>
      store.changes.listen((changes) => {
        const own = changes.filter((change) => change.kind === 'note').map(noteChange);
        if (own.length > 0) listener(own);
      }),
  });
}

function noteResource(note: NoteSummary): Resource {
  return {
    uri: noteUri(note.id),
    name: note.title || note.id,
    title: note.title || 'Untitled note',
    mimeType: NOTE_MEDIA_TYPE,
    size: note.size,
    annotations: { lastModified: new Date(note.updatedAt).toISOString() },
  };
}

async function listNotes(store: Store, before: string | undefined, limit: number) {
  try {
    return await store.notes.list(before === undefined ? { limit } : { before, limit });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'invalid-argument')
      throw new BadPositionError();
    throw error;
  }
}

async function readNote(store: Store, uri: string): Promise<ResourceContents[] | undefined> {
  const target = parseResourceUri(uri);
  if (target?.kind !== 'note') return undefined;
  try {
    const note = await store.notes.get(target.id);
    return [{ uri, mimeType: NOTE_MEDIA_TYPE, text: note.text }];
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function noteChange(change: StoreChange): ResourceChange {
  return { uri: noteUri(change.key), listChanged: change.listingChanged };
}
