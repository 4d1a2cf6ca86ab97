import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import type { SchemaForm } from '../../fields/form/schema-form.js';
import { mayDestroy } from './tool-words.js';
import type { UsableTool } from './usable-tool.js';

/** The buttons below the fields. */
export function renderButtons(
  tool: UsableTool,
  form: SchemaForm,
  wasCalled: boolean,
): TemplateResult {
  return html`<div class="buttons">
    <button class="primary call" part="submit">
      ${callText(mayDestroy(tool.annotations), wasCalled)}
    </button>
    ${
      form.hasBothViews
        ? html`<button type="button" class="as-json" @click=${() => form.toggleJson()}>
            ${
              form.isJson
                ? msg('Edit in fields', { id: 'mcp.tool-form.as-fields' })
                : msg('Edit as JSON', { id: 'mcp.tool-form.as-json' })
            }
          </button>`
        : nothing
    }
  </div>`;
}

function callText(isConfirmed: boolean, wasCalled: boolean): string {
  if (isConfirmed) return msg('Continue…', { id: 'mcp.tool-form.continue' });
  return wasCalled
    ? msg('Call the tool again', { id: 'mcp.tool-form.call-again' })
    : msg('Call the tool', { id: 'mcp.tool-form.call' });
}
