import type { McpClient } from '@inpage-mcp/client';
import { updateWhenLocaleChanges } from '@lit/localize';
import { LitElement, type PropertyDeclarations } from 'lit';
import { internalsOf } from './internals.js';
import { Connection } from './connection.js';

/** The parts that all elements share: a client, custom states, and texts in the language of the page. */
export abstract class McpElement extends LitElement {
  static override readonly properties: PropertyDeclarations = {
    client: { attribute: false },
  };

  static {
    // Rows are measured when they are drawn, and then drawn again. Lit's development build warns about this.
    this.disableWarning?.('change-in-update');
  }

  /** The client that is used instead of the provider's. Default: none. */
  declare client: McpClient | undefined;

  /** The client in use, and its state. */
  protected readonly connection = new Connection(this);
  protected readonly internals = internalsOf(this);

  constructor() {
    super();
    updateWhenLocaleChanges(this);
  }

  /** Sets or removes a custom state, for `:state(name)`. */
  protected setState(name: string, isOn: boolean): void {
    try {
      if (isOn) this.internals.states.add(name);
      else this.internals.states.delete(name);
    } catch {
      // Firefox before 126 and jsdom have no custom states, and Chromium before 125 rejects names without dashes.
    }
  }
}
