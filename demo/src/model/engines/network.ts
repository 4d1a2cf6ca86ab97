import type { ModelSettings } from '../model-settings.js';

/**
 * From now on this document reaches only the host that the user was shown. Policies add up: a later one
 * can only take away.
 */
export function allowOnly({ endpoint }: ModelSettings): void {
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = `connect-src ${endpoint === '' ? "'none'" : new URL(endpoint).origin}`;
  document.head.append(meta);
}
