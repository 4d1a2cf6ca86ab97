import { html, type TemplateResult } from 'lit';
import type { ChatLine, ToolCall } from './transcript.js';

/** All words of a model are text: no markup, and no link that could be clicked. */
export function renderLine(line: ChatLine): TemplateResult {
  if (line.by === 'call') return renderCall(line);
  // In one line: the white space of what a model says is shown.
  return html`<li class=${line.by}>${line.text}</li>`;
}

function renderCall({ name, input, output, hasFailed }: ToolCall): TemplateResult {
  const state = output === undefined ? ' …' : hasFailed ? ' · failed' : '';
  return html`<li class="call">
    <details>
      <summary><code>tools/call ${name}</code>${state}</summary>
      <pre>${input}</pre>
      ${output === undefined ? html`<p>No answer yet. If it changes something, the page asks you.</p>` : html`<pre>${output}</pre>`}
    </details>
  </li>`;
}
