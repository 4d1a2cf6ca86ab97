import { addNotesApps } from '@inpage-mcp/apps';
import '@inpage-mcp/elements/autoload';
import { connectClient, type McpClient } from '@inpage-mcp/client';
import type { DeviceSync, McpConsent } from '@inpage-mcp/elements';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { seedDocs } from './seed-docs.js';

/** The surroundings of an example: a runtime with a few notes and files, and a client of it. */
interface Scene {
  runtime: Runtime;
  client: McpClient;
  /** The recorder of the client's messages. */
  recorder: WireRecorder;
  /** The address of a note. */
  noteUri: string;
}

/**
 * The set-up of elements that need more than a client. It may return content that is shown before the
 * element.
 */
const SETTINGS: { [tag: string]: (element: never, scene: Scene) => unknown } = {
  'mcp-provider': (element: HTMLElement, { noteUri }) => {
    // These elements have no client of their own.
    const list = document.createElement('mcp-resource-list');
    const view = Object.assign(document.createElement('mcp-resource-view'), { uri: noteUri });
    element.addEventListener('mcp-resource-select', ({ resource }) => (view.uri = resource.uri));
    element.append(list, view);
  },
  'mcp-resource-view': (element: object, { noteUri }) => Object.assign(element, { uri: noteUri }),
  'mcp-note-editor': (element: { noteId: string; storage: unknown }, { runtime, noteUri }) => {
    element.storage = runtime.notes;
    element.noteId = noteUri.slice('note:///'.length);
  },
  'mcp-app': async (element: { client: McpClient }, { runtime }) => {
    await addNotesApps(runtime);
    element.client = await runtime.connect({ apps: true });
  },
  'mcp-consent': askButton,
  'mcp-wire': async (element: object, { client, recorder, noteUri }) => {
    Object.assign(element, { recorder });
    await client.listTools();
    await client.readResource(noteUri);
  },
  'mcp-sync': (element: object) => Object.assign(element, { sync: sampleSync() }),
  'mcp-storage': (element: { storage: unknown }, { runtime }) =>
    (element.storage = runtime.storage),
  'mcp-file-drop': (element: { target: unknown }, { runtime }) => (element.target = runtime.files),
};

const refuse = (): Promise<never> => Promise.reject(new Error('This is only an example.'));

/** A sync of two devices that are the same, and know no server, so that no action has an effect. */
function sampleSync(): DeviceSync {
  const now = Date.now();
  const status: DeviceSync['status'] = {
    state: 'idle',
    unsynced: 0,
    unfetched: 0,
    syncedAt: now,
    refused: {},
    device: 'a',
    devices: [
      { id: 'a', name: 'Laptop', seenAt: now },
      { id: 'b', name: 'Phone', seenAt: now - 3_600_000 },
    ],
    conflicts: [],
  };
  const commands = { join: refuse, unlock: refuse, invite: refuse, removeDevice: refuse };
  const switches = { pause: refuse, resume: refuse, leave: refuse, syncNow: () => undefined };
  return Object.assign(new EventTarget(), { status, ...commands, ...switches });
}

/** The first attributes of an element, as a page writes them. The reader changes them. */
const ATTRIBUTES: { [tag: string]: string } = {
  'mcp-resource-list': 'searchable sortable filterable',
  'mcp-resource-view': 'header',
  'mcp-resource-picker': 'label="What the model gets" budget="2000"',
  'mcp-app': 'tool="show_notes" call',
  'mcp-connection': 'detailed',
};

/** Shows each live example of the page when it becomes visible. */
export function showLiveExamples(): void {
  const places = document.querySelectorAll<HTMLElement>('.live');
  if (places.length === 0) return;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      void show(target as HTMLElement);
    }
  });
  for (const place of places) observer.observe(place);
}

let opening: Promise<Scene> | undefined;

/** The scene of all examples of the page. */
export const sharedScene = (): Promise<Scene> => (opening ??= openScene());

async function openScene(): Promise<Scene> {
  const runtime = await startRuntime({ databaseName: 'inpage-mcp-docs' });
  const noteUri = await seedDocs(runtime);
  const recorder = new WireRecorder();
  const client = await connectClient(async () => {
    const port = await runtime.openPort({ limits: 'page', heldBy: 'page' });
    return recorder.wrap(new MessagePortTransport(port));
  });
  return { runtime, client, recorder, noteUri };
}

async function show(place: HTMLElement): Promise<void> {
  try {
    const scene = await sharedScene();
    const tag = place.dataset['element'] ?? '';
    const element = document.createElement(tag);
    Object.assign(element, { client: scene.client });
    const before = await SETTINGS[tag]?.(element as never, scene);
    const words = document.createElement('p');
    words.textContent = 'Live, with notes and files of this browser:';
    const field = attributesField(element, ATTRIBUTES[tag] ?? '');
    place.replaceChildren(
      words,
      field,
      ...(before instanceof HTMLButtonElement ? [before] : []),
      element,
    );
  } catch (error) {
    place.textContent = `The example could not start: ${String(error)}`;
  }
}

/** A field with the attributes of an element, as HTML writes them. Typed attributes are set. */
function attributesField(element: HTMLElement, attributes: string): HTMLElement {
  const label = document.createElement('label');
  const field = document.createElement('input');
  field.value = attributes;
  field.placeholder = 'attributes';
  field.spellcheck = false;
  const set = (): void => {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
    for (const [, name = '', value = ''] of field.value.matchAll(/([a-z][\w-]*)(?:="([^"]*)")?/g))
      if (!name.startsWith('on')) element.setAttribute(name, value);
  };
  set();
  field.addEventListener('input', set);
  label.className = 'attributes';
  label.append(`<${element.localName} `, field, '>');
  return label;
}

/** A button that asks a question, because a dialog shows nothing until a client asks. */
function askButton(consent: McpConsent, { runtime, noteUri }: Scene): HTMLButtonElement {
  const button = document.createElement('button');
  button.textContent = 'Ask';
  const ask = async (): Promise<void> => {
    const id = noteUri.slice('note:///'.length);
    const { title } = await runtime.notes.get(id);
    await consent.ask({
      message: `Append to the note “${title}”?`,
      requester: 'An assistant',
      origin: 'https://assistant.example',
      tool: 'append_to_note',
      arguments: { id, text: '- honey' },
      documents: runtime,
    });
  };
  button.addEventListener('click', () => void ask());
  return button;
}
