// The notes of a server, in the hosts of MCP Apps. The page depends on the tool that was called: `show_notes`
// { query? }, `show_note` { uri } or `pick_notes` { query? }.
import '@inpage-mcp/elements/define/mcp-note-editor';
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import type { McpClient, Resource, ResourceLink } from '@inpage-mcp/client';
import { connectToHost, type Host } from '@inpage-mcp/client/app';
import type { McpNoteEditor } from '@inpage-mcp/elements/define/mcp-note-editor';
import type {
  McpResourceList,
  McpResourceSelectEvent,
} from '@inpage-mcp/elements/define/mcp-resource-list';
import { html, nothing, render, type TemplateResult } from 'lit';
import './notes.css';
import { addToConversation, canAdd } from './conversation.js';

const NOTE = 'note:///';

/** The state of the page, as the user sees it. */
interface View {
  /** Whether notes are picked, not opened. */
  picks: boolean;
  /** Whether an open note is shown without the list. */
  isAlone: boolean;
  query: string;
  /** The address of the open note. */
  open: string | undefined;
  picked: readonly Resource[];
  /** The links to notes that are in the conversation. */
  added: readonly ResourceLink[];
  status: string;
  error: string;
}

const view: View = {
  picks: false,
  isAlone: false,
  query: '',
  open: undefined,
  picked: [],
  added: [],
  status: '',
  error: '',
};

let host: Host;
let client: McpClient;

function show(changes: Partial<View>): void {
  Object.assign(view, changes);
  render(renderPage(), document.body);
}

/** Shows the arguments of the tool call, as far as the host has sent them. */
function showInput(): void {
  const { uri, query } = host.input?.arguments ?? {};
  const tool = host.context.toolInfo?.tool.name;
  show({
    picks: tool === 'pick_notes',
    isAlone: tool === 'show_note',
    query: typeof query === 'string' ? query : '',
    open: typeof uri === 'string' && uri.startsWith(NOTE) ? uri : undefined,
  });
}

/** The additions, one after the other: each tells the host what the ones before have added. */
let adding = Promise.resolve();

function add(): void {
  const { open } = view;
  adding = adding.then(() => addNow(open));
}

/** Adds the open note, or the picked ones. A second click finds nothing more to add. */
async function addNow(open: string | undefined): Promise<void> {
  const isAdded = view.added.some(({ uri }) => uri === open);
  const uris = view.picks ? view.picked.map(({ uri }) => uri) : isAdded || !open ? [] : [open];
  if (uris.length === 0) return;
  show({ status: 'Adding …', error: '' });
  try {
    if ((await editor()?.save()) === false) throw new Error('The note could not be saved.');
    const added = await addToConversation(host, uris, view.added);
    const count = uris.length === 1 ? 'Added' : `${uris.length} notes added`;
    const picked = view.picked.filter(({ uri }) => !uris.includes(uri));
    if (view.picks) list()!.selection = picked.map(({ uri }) => uri);
    show({ added, picked, status: `${count} to the conversation.`, error: '' });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    const reason = code === 'refused' ? 'The host does not allow it.' : message;
    show({ status: '', error: `Not added: ${reason}` });
  }
}

/** The client without the resources that are not notes. */
function onlyNotes(whole: McpClient): McpClient {
  const listResources: McpClient['listResources'] = async (options) => {
    const page = await whole.listResources(options);
    return { ...page, resources: page.resources.filter(({ uri }) => uri.startsWith(NOTE)) };
  };
  return new Proxy(whole, {
    get(_, name) {
      if (name === 'listResources') return listResources;
      const value: unknown = Reflect.get(whole, name);
      return typeof value === 'function' ? (value.bind(whole) as unknown) : value;
    },
  });
}

const list = (): McpResourceList | null => document.querySelector('mcp-resource-list');
const editor = (): McpNoteEditor | null => document.querySelector('mcp-note-editor');

function onselect({ resource, resources }: McpResourceSelectEvent): void {
  const isNote = resource.uri.startsWith(NOTE);
  if (view.picks) show({ picked: resources.filter(({ uri }) => uri.startsWith(NOTE)), status: '' });
  else if (isNote) show({ open: resource.uri, status: '', error: '' });
}

function close(): void {
  show({ open: undefined, isAlone: false, status: '', error: '' });
  list()?.focus();
}

function renderPage(): TemplateResult {
  const { open, picks } = view;
  const { displayMode, containerDimensions } = host.context;
  const { height, maxHeight } = containerDimensions ?? {};
  const isFilling = displayMode === 'fullscreen' || height !== undefined;
  // The limit lets only the list or the text scroll, and not the whole app.
  const limit = maxHeight === undefined || isFilling ? nothing : `max-block-size: ${maxHeight}px`;
  return html`<mcp-provider .client=${client}>
    <main class=${view.isAlone ? 'alone' : ''} ?data-fills=${isFilling} style=${limit}>
      <div class="panes ${open === undefined ? '' : 'open'}">
        ${renderList()} ${picks ? nothing : renderEditor()}
      </div>
      <footer>
        <p role="status">${view.status}</p>
        ${view.error === '' ? nothing : html`<p role="alert">${view.error}</p>`}
        ${picks && canAdd(host) ? renderPickButton() : nothing}
      </footer>
    </main>
  </mcp-provider>`;
}

function renderList(): TemplateResult {
  return html`<mcp-resource-list
    label="Notes"
    searchable
    filter="kind:note"
    ?multiple=${view.picks}
    .query=${view.query}
    .selected=${view.picks ? undefined : view.open}
    @mcp-resource-select=${onselect}
  >
    <span slot="empty">There are no notes yet.</span>
  </mcp-resource-list>`;
}

function renderEditor(): TemplateResult {
  const { open, added } = view;
  const isAdded = added.some(({ uri }) => uri === open);
  return html`<mcp-note-editor .noteId=${open?.slice(NOTE.length)}>
    ${open === undefined ? nothing : html`<button slot="actions" class="back" @click=${close}>All notes</button>`}
    ${
      open !== undefined && canAdd(host)
        ? html`<button slot="actions" aria-disabled=${isAdded} @click=${add}>
            ${isAdded ? 'In the conversation' : 'Add to the conversation'}
          </button>`
        : nothing
    }
  </mcp-note-editor>`;
}

function renderPickButton(): TemplateResult {
  const { length } = view.picked;
  const count = length === 1 ? '1 note' : `${length} notes`;
  return html`<button class="primary" aria-disabled=${length === 0} @click=${add}>
    ${length === 0 ? 'Choose notes to add' : `Add ${count} to the conversation`}
  </button>`;
}

async function start(): Promise<void> {
  host = await connectToHost({
    appInfo: { name: 'notes', title: 'Notes', version: '0.1.0' },
    displayModes: ['inline', 'fullscreen'],
    onteardown: async () => {
      await adding;
      await editor()?.leave();
    },
  });
  client = onlyNotes(host.client);
  for (const type of ['input', 'partialinput']) host.addEventListener(type, showInput);
  host.addEventListener('context', () => show({}));
  showInput();
}

start().catch((error: unknown) => {
  render(html`<p class="failure" role="alert">${(error as Error).message}</p>`, document.body);
});
