import type { McpClient } from '@inpage-mcp/client';
import { fixture, html } from '@open-wc/testing';
import type { McpNoteEditor } from '../../packages/elements/src/act/mcp-note-editor/mcp-note-editor.js';
import type { NoteStorage } from '../../packages/elements/src/act/mcp-note-editor/note-storage.js';
import { eventually, inside } from './elements.js';

/** An editor of a note, as soon as it shows its text. */
export async function showEditor(
  noteId: string,
  { client, storage }: { client: McpClient; storage: NoteStorage | undefined },
): Promise<McpNoteEditor> {
  const editor = await fixture<McpNoteEditor>(html`
    <mcp-note-editor
      .client=${client}
      .storage=${storage}
      note-id=${noteId}
      style="block-size: 20rem"
    ></mcp-note-editor>
  `);
  await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value);
  return editor;
}

/** The field of the text. */
export const textField = (editor: McpNoteEditor): HTMLTextAreaElement =>
  inside(editor, 'textarea[part=text]') as HTMLTextAreaElement;

/** Puts other words into the text, as a user would. */
export function type(editor: McpNoteEditor, words: string): void {
  textField(editor).value = words;
  textField(editor).dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

/** The button with these words, as soon as it is there. */
export const button = (editor: McpNoteEditor, label: string): Promise<HTMLButtonElement> =>
  eventually(() =>
    [...editor.shadowRoot!.querySelectorAll('button')].find((one) =>
      one.textContent.includes(label),
    ),
  );
