import type { McpClient } from '@inpage-mcp/client';

/**
 * An address in the Unicode form of the name that the server has, because macOS and archives write `é` as two
 * characters, and keyboards as one. The address itself if it has only one form, or the server has none of
 * them.
 */
export async function existingForm(
  client: McpClient,
  uri: string,
  signal: AbortSignal,
): Promise<string> {
  for (const form of formsOf(uri)) {
    const isThere = await client.readResource(form, { signal }).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (isThere) return form;
  }
  return uri;
}

/** The other Unicode forms of an address; empty if it has only one form. */
function formsOf(uri: string): string[] {
  try {
    const name = uri.replaceAll(/(?:%[89a-f][\da-f])+/gi, decodeURIComponent);
    const forms = new Set([name, name.normalize('NFC'), name.normalize('NFD')]);
    if (forms.size === 1) return [];
    return Array.from(forms, (form) => form.replaceAll(/[^\0-\x7F]+/g, encodeURIComponent));
  } catch {
    return [];
  }
}
