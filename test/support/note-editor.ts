import type { McpNoteEditor } from '../../packages/elements/src/mcp-note-editor/mcp-note-editor.js';
import { eventually, inside } from './elements.js';

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
