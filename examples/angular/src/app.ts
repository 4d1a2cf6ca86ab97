import '@inpage-mcp/elements';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import type { McpClient } from '@inpage-mcp/runtime';
import { connectOnce } from './mcp';

@Component({
  selector: 'app-root',
  // Without this, Angular rejects elements that are not components of its own.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    @if (error(); as reason) {
      <p role="alert">{{ reason.message }}</p>
    } @else {
      <mcp-provider [client]="client()">
        <div class="notes">
          <mcp-resource-list
            label="Notes"
            [selected]="uri()"
            (mcp-resource-select)="uri.set($event.resource.uri)"
          ></mcp-resource-list>
          <mcp-resource-view [uri]="uri()"></mcp-resource-view>
        </div>
      </mcp-provider>
    }
  `,
})
export class App {
  readonly client = signal<McpClient | undefined>(undefined);
  readonly uri = signal<string | undefined>(undefined);
  readonly error = signal<Error | undefined>(undefined);

  constructor() {
    connectOnce().then(
      (client) => this.client.set(client),
      (error: Error) => this.error.set(error),
    );
  }
}
