import '@inpage-mcp/elements/autoload';
import type { McpClient } from '@inpage-mcp/client';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { seedDocs } from './seed-docs.js';

/** What an example has: a runtime with a few notes and files, and a client of it. */
export interface Scene {
  runtime: Runtime;
  client: McpClient;
  /** The address of a note. */
  noteUri: string;
}

/** What an element needs besides a client, to show something. */
const SETTINGS: { [tag: string]: (element: never, scene: Scene) => unknown } = {
  'mcp-provider': (element: HTMLElement, { client, noteUri }) => {
    const list = Object.assign(document.createElement('mcp-resource-list'), { client });
    const view = Object.assign(document.createElement('mcp-resource-view'), {
      client,
      uri: noteUri,
    });
    element.append(list, view);
  },
  'mcp-resource-view': (element: { uri: string }, { noteUri }) => (element.uri = noteUri),
  'mcp-note-editor': (element: { noteId: string; storage: unknown }, { runtime, noteUri }) => {
    element.storage = runtime.notes;
    element.noteId = noteUri.slice('note:///'.length);
  },
  'mcp-file-drop': (element: { target: unknown }, { runtime }) => (element.target = runtime.files),
};

/** Shows each live example of the page when it comes into sight. */
export function showLiveExamples(): void {
  const places = document.querySelectorAll<HTMLElement>('.live');
  if (places.length === 0) return;
  let scene: Promise<Scene> | undefined;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      scene ??= openScene();
      void show(target as HTMLElement, scene);
    }
  });
  for (const place of places) observer.observe(place);
}

async function openScene(): Promise<Scene> {
  const runtime = await startRuntime({ databaseName: 'inpage-mcp-docs' });
  const client = await runtime.connect();
  return { runtime, client, noteUri: await seedDocs(runtime) };
}

async function show(place: HTMLElement, opening: Promise<Scene>): Promise<void> {
  try {
    const scene = await opening;
    const tag = place.dataset['element'] ?? '';
    const element = document.createElement(tag);
    Object.assign(element, { client: scene.client });
    SETTINGS[tag]?.(element as never, scene);
    const words = document.createElement('p');
    words.textContent = 'Live, with notes and files of this browser:';
    place.replaceChildren(words, element);
  } catch (error) {
    place.textContent = `The example could not start: ${String(error)}`;
  }
}
