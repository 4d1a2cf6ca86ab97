import type { Prompt } from '@inpage-mcp/client';
import { html, type TemplateResult } from 'lit';
import { icon, noteIcon } from '../../base/look/icons.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** The texts that a prompt is found by. */
export function textsOf({ title, name, description }: Prompt): readonly unknown[] {
  return [title, name, description];
}

/** The title of a prompt for people. */
export function titleOf({ title, name }: Prompt): string {
  return truncateText(title?.trim() || name);
}

/** A prompt as an option of the menu. */
export function renderPrompt(prompt: Prompt): TemplateResult {
  return html`${icon(noteIcon)}
    <span class="texts">
      <span class="one-line" part="title">${titleOf(prompt)}</span>
      <span class="one-line details" part="details"
        >${truncateText(prompt.description || prompt.name)}</span
      >
    </span>
    <span class="end" dir="ltr">/${truncateText(prompt.name, 40)}</span>`;
}
