import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../look/icons.js';
import { truncateText } from '../text/truncate-text.js';
import { visibleName } from '../text/visible-text.js';
import type { ConsentQuestion } from './question.js';

/** An origin longer than a domain name can be. */
const MAX_ORIGIN_LENGTH = 500;

/** Who asks, as far as it is certain, and what the asker says of itself. */
export function renderAsker({ origin, requester, tool }: ConsentQuestion): TemplateResult {
  return html`<dl class="asker" part="asker">
    ${renderFact(msg('Who asks', { id: 'mcp.consent.who' }), renderOrigin(origin, requester))}
    ${
      requester && origin !== undefined
        ? renderFact(msg('Calls itself', { id: 'mcp.consent.calls-itself' }), nameText(requester))
        : nothing
    }
    ${
      tool === undefined
        ? nothing
        : renderFact(
            msg('Tool', { id: 'mcp.consent.tool' }),
            html`<code dir="ltr">${nameText(tool)}</code>`,
          )
    }
  </dl>`;
}

function renderFact(name: string, value: unknown): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function renderOrigin(origin: string | undefined, requester: string | undefined): unknown {
  if (origin === undefined)
    return requester
      ? html`<bdi>${nameText(requester)}</bdi>`
      : msg('This page', { id: 'mcp.consent.this-page' });
  if (origin === 'null')
    return msg('A frame of which the browser hides the address', { id: 'mcp.consent.no-origin' });
  const shown = originText(origin);
  return html`<code class="origin" dir="ltr">${shown}</code> ${renderLookAlike(shown)}`;
}

/** Warns of a name whose letters, which are not shown, can look like those of another one. */
function renderLookAlike(shown: string): TemplateResult | typeof nothing {
  if (!/\bxn--/.test(shown)) return nothing;
  return html`<span class="warning">
    ${icon(warningIcon)}
    <span
      >${msg('This address has letters that can look like others.', {
        id: 'mcp.consent.look-alike',
      })}</span
    >
  </span>`;
}

/** An origin as the browser compares it: in ASCII, so that no letter looks like another one. */
function originText(origin: string): string {
  try {
    const { origin: exact } = new URL(origin);
    if (exact !== 'null') return exact;
  } catch {
    // It is not an address: shown as it is.
  }
  return visibleName(truncateText(origin, MAX_ORIGIN_LENGTH));
}

/** A name that nobody has checked. */
function nameText(name: string): string {
  return visibleName(truncateText(name));
}

/** What `always` and `never` are about. */
export function lastingText({ tool }: ConsentQuestion): string {
  const name = nameText(tool ?? '');
  return name
    ? msg(str`“Always” and “Never” are for every use of ${name} by the same asker.`, {
        id: 'mcp.consent.lasting-tool',
      })
    : msg('“Always” and “Never” are for every question of the same asker.', {
        id: 'mcp.consent.lasting',
      });
}
