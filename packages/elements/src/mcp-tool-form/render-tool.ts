import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { truncateText } from '../text/truncate-text.js';
import { effectsOf } from './tool-words.js';
import type { UsableTool } from './usable-tool.js';

/** The choice among the tools of the server. */
export function renderChooser(
  tools: readonly UsableTool[],
  picked: string | undefined,
  pick: (name: string) => void,
  isDisabled: boolean,
): TemplateResult {
  const choose = (event: Event): void => {
    const tool = tools[(event.target as HTMLSelectElement).selectedIndex - 1];
    pick(tool?.name ?? '');
  };
  return html`<div class="field chooser">
    <label for="chooser"
      ><span class="title">${msg('Tool', { id: 'mcp.tool-form.tool' })}</span></label
    >
    <select id="chooser" ?disabled=${isDisabled} @change=${choose}>
      <option value="" .selected=${!picked}>
        ${msg('Choose a tool', { id: 'mcp.tool-form.choose' })}
      </option>
      ${tools.map(
        ({ name, title }) =>
          html`<option value=${name} .selected=${name === picked}>
            ${optionText(name, title)}
          </option>`,
      )}
    </select>
  </div>`;
}

function optionText(name: string, title: string): string {
  return title === name ? title : `${title} (${truncateText(name, 60)})`;
}

/** What a tool is, and what the server says that it does. */
export function renderTool({ name, title, description, annotations }: UsableTool): TemplateResult {
  return html`<header>
    <h3 part="heading"><bdi>${title}</bdi></h3>
    ${title === name ? nothing : html`<code class="name">${truncateText(name)}</code>`}
    ${description ? html`<p class="about">${description}</p>` : nothing}
    <ul class="effects">
      ${effectsOf(annotations).map((words) => html`<li>${words}</li>`)}
    </ul>
    <p class="facts">
      ${msg('The server says so; nothing ensures that it is true.', {
        id: 'mcp.tool-form.hints',
      })}
    </p>
  </header>`;
}
