import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { renderBack } from '../../fields/catalog/render-heading.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { effectsOf } from './tool-words.js';
import type { UsableTool } from './usable-tool.js';

/** The texts that a tool is found by. */
export function textsOf({ title, name, description }: UsableTool): readonly unknown[] {
  return [title, name, description];
}

/** A tool as an option of the list. */
export function renderOption({ title, name, description }: UsableTool): TemplateResult {
  return html`<span class="texts">
      <span class="one-line" part="title">${title}</span>
      <span class="one-line details" part="details">${truncateText(description || name)}</span>
    </span>
    ${title === name ? nothing : html`<span class="end" dir="ltr">${truncateText(name, 40)}</span>`}`;
}

/**
 * What a tool is, and what the server says that it does.
 *
 * @param onback Goes back to the list. Default: there is no way back.
 */
export function renderTool(
  { name, title, description, annotations, needsTask }: UsableTool,
  onback: (() => void) | undefined,
): TemplateResult {
  const label = msg('Other tools', { id: 'mcp.tool-form.others' });
  return html`<div class="tool">
    <div class="title-line">
      ${onback ? renderBack({ label, onback }) : nothing}
      <h3 part="heading" tabindex="-1"><bdi>${title}</bdi></h3>
    </div>
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
    ${needsTask ? renderNeedsTask() : nothing}
  </div>`;
}

function renderNeedsTask(): TemplateResult {
  return html`<p class="remark" role="note">
    ${msg('This tool can only run as a task, which this page does not support.', { id: 'mcp.tool-form.needs-task' })}
  </p>`;
}
