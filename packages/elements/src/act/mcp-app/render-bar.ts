import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { closeIcon, iconButton } from '../../base/look/icons.js';
import { isolate } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { AppDisplayMode } from './display-mode.js';
import { collapseIcon, expandIcon, fullscreenIcon, inlineIcon, textIcon } from './icons.js';

/** The contents of the line above an app. A button whose function is absent is not shown. */
interface Bar {
  title: string;
  /** The server's own description of itself. */
  server: McpClient['serverInfo'];
  /** Whether the app can reach its server. */
  hasServer: boolean;
  /** The sources that the app may reach; absent before they are known. */
  sources: readonly string[] | undefined;
  mode: AppDisplayMode;
  onmode: ((mode: AppDisplayMode) => void) | undefined;
  isText: boolean;
  ontext: (() => void) | undefined;
  isCollapsed: boolean;
  oncollapse: () => void;
  onclose: (() => void) | undefined;
}

/** Renders the line above an app: its name, its server, the sources that it may reach, and the buttons. */
export function renderBar(bar: Bar): TemplateResult {
  const { title, sources, ontext, onmode, onclose } = bar;
  return html`<header class="bar" part="bar">
    <div class="names">
      <h3 id="title"><bdi>${title}</bdi></h3>
      <p class="facts">${originOf(bar)}${sources ? html` · ${reachOf(bar, sources)}` : nothing}</p>
    </div>
    <div class="tools">
      ${ontext ? renderTextButton(bar.isText, ontext) : nothing}
      ${onmode ? renderModeButton(bar.mode, onmode) : nothing} ${renderCollapseButton(bar)}
      ${onclose ? iconButton(msg('Close the app', { id: 'mcp.app.close' }), closeIcon, onclose) : nothing}
    </div>
  </header>`;
}

function renderTextButton(isText: boolean, onclick: () => void): TemplateResult {
  const words = msg('As text', { id: 'mcp.app.text' });
  return html`<button type="button" class="text" aria-pressed=${isText} @click=${onclick}>
    ${textIcon} ${words}
  </button>`;
}

function renderModeButton(
  mode: AppDisplayMode,
  onmode: (mode: AppDisplayMode) => void,
): TemplateResult {
  const isInline = mode === 'inline';
  const words = isInline
    ? msg('Full screen', { id: 'mcp.app.fullscreen' })
    : msg('Back to the page', { id: 'mcp.app.inline' });
  return html`<button
    type="button"
    class="quiet mode"
    title=${words}
    aria-label=${words}
    @click=${() => onmode(isInline ? 'fullscreen' : 'inline')}
  >
    ${isInline ? fullscreenIcon : inlineIcon}
  </button>`;
}

function renderCollapseButton({ isCollapsed, oncollapse }: Bar): TemplateResult {
  const words = msg('Show the app', { id: 'mcp.app.expand' });
  return html`<button
    type="button"
    class="quiet collapse"
    aria-expanded=${!isCollapsed}
    aria-label=${words}
    title=${words}
    @click=${oncollapse}
  >
    ${isCollapsed ? expandIcon : collapseIcon}
  </button>`;
}

function originOf({ server: info }: Bar): string {
  const server = isolate(truncateText(info?.title || info?.name || '?', 60));
  return msg(str`App of ${server}`, { id: 'mcp.app.of' });
}

function reachOf({ hasServer }: Bar, all: readonly string[]): string {
  if (all.length === 0)
    return hasServer
      ? msg('Reaches nothing but its server', { id: 'mcp.app.reaches-nothing' })
      : msg('Reaches nothing', { id: 'mcp.app.reaches-nothing-at-all' });
  const sources = isolate(truncateText(all.join(', '), 200));
  return msg(str`May reach ${sources}`, { id: 'mcp.app.reaches' });
}
