import '@inpage-mcp/elements';
import type { McpResourceSelectEvent } from '@inpage-mcp/elements';
import type { McpClient } from '@inpage-mcp/runtime';
import { LitElement, html, nothing } from 'lit';
import './app.css';
import { connectOnce } from './mcp';

class NotesApp extends LitElement {
  static override properties = {
    client: { state: true },
    uri: { state: true },
    error: { state: true },
  };

  declare client: McpClient | undefined;
  declare uri: string | undefined;
  declare error: Error | undefined;

  override connectedCallback() {
    super.connectedCallback();
    connectOnce().then(
      (client) => (this.client = client),
      (error: Error) => (this.error = error),
    );
  }

  // Without a shadow root, the style sheet of the page also applies to these elements.
  override createRenderRoot() {
    return this;
  }

  #select({ resource }: McpResourceSelectEvent) {
    this.uri = resource.uri;
  }

  override render() {
    if (this.error) return html`<p role="alert">${this.error.message}</p>`;
    return html`
      <mcp-provider .client=${this.client}>
        <div class="notes">
          <mcp-resource-list
            label="Notes"
            selected=${this.uri ?? nothing}
            @mcp-resource-select=${this.#select}
          ></mcp-resource-list>
          <mcp-resource-view uri=${this.uri ?? nothing}></mcp-resource-view>
        </div>
      </mcp-provider>
    `;
  }
}

customElements.define('notes-app', NotesApp);
