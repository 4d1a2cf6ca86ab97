import { jsonOf } from './json-lines.js';

/**
 * Puts messages on the clipboard as JSON. To be called while a click or a key is handled. Resolves
 * with whether the browser has let it.
 */
export async function copyMessages(messages: readonly unknown[]): Promise<boolean> {
  // Exists in secure contexts only.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    await clipboard?.writeText(messages.map((message) => jsonOf(message, 2)).join('\n'));
    return clipboard !== undefined;
  } catch {
    return false;
  }
}

/** Lets the user save JSON Lines. */
export function saveLines(blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = `mcp-messages-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.jsonl`;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
