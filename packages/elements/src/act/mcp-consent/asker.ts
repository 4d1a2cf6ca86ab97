import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../../base/look/icons.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { originOf, type ConsentQuestion } from './question.js';

/**
 * Who asks, as far as it is certain, and what the asker says of itself. An `origin` that is none, such
 * as the name of a program, is only what somebody says.
 */
export function renderAsker({ origin, requester, tool }: ConsentQuestion): TemplateResult {
  const exact = origin === 'null' ? origin : originOf(origin);
  const names = exact === undefined ? [origin, requester] : [requester];
  const name = names.filter(Boolean).map((one) => nameText(one as string));
  const isKnown = exact !== undefined || name.length === 0;
  return html`<dl class="asker" part="asker">
    ${isKnown ? renderFact(msg('Who asks', { id: 'mcp.consent.who' }), renderOrigin(exact)) : nothing}
    ${
      name.length > 0
        ? renderFact(
            msg('Calls itself', { id: 'mcp.consent.calls-itself' }),
            html`<bdi>${name.join(', ')}</bdi>`,
          )
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

function renderOrigin(origin: string | undefined): unknown {
  if (origin === undefined) return msg('This page', { id: 'mcp.consent.this-page' });
  if (origin === 'null')
    return msg('A frame of which the browser hides the address', { id: 'mcp.consent.no-origin' });
  return html`<code class="origin" dir="ltr">${origin}</code> ${renderLookAlike(origin)}`;
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

/** A name that nobody has checked, on one line. */
function nameText(name: string): string {
  return truncateText(name).replaceAll('\n', '⟨U+000A⟩').replaceAll('\t', '⟨U+0009⟩');
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
