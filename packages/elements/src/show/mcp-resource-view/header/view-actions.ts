import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { blobOf } from '../../../reading/content-bytes.js';
import { withTexts, type ResourceReading } from '../../../reading/resource-controller.js';
import { Slices } from '../../../reading/slices.js';
import { usableReading } from '../../../reading/gate.js';
import { nameOf } from '../../../base/text/name-of.js';

/** How long a saved file keeps its address, in milliseconds. */
const SAVING_MS = 60_000;

/** Copies the texts of a resource, whole. Rejects if they cannot be read, or the browser refuses. */
export async function copyContents(
  client: McpClient | undefined,
  reading: ResourceReading,
): Promise<void> {
  const contents = await wholeContents(client, reading);
  const texts = contents.map((one) => ('text' in one ? one.text : ''));
  await navigator.clipboard.writeText(texts.join('\n'));
}

/** Saves the only content of a resource as a file. Rejects if it cannot be read. */
export async function saveContents(
  client: McpClient | undefined,
  reading: ResourceReading,
): Promise<void> {
  const [content] = await wholeContents(client, reading);
  if (!content) return;
  const blob = await blobOf(content, new Slices(new AbortController().signal, () => undefined));
  // A document of another type would be one of the page's own origin.
  const url = URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
  const link = document.createElement('a');
  link.href = url;
  link.download = nameOf(content.uri);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SAVING_MS);
}

/** What was read, or all of it if that was only a part. */
async function wholeContents(
  client: McpClient | undefined,
  { uri, part, result, encoding }: ResourceReading,
): Promise<readonly ResourceContents[]> {
  if (!part || !client) return result.contents;
  const whole = { result: usableReading(await client.readResource(uri)) };
  const { signal } = new AbortController();
  return (await withTexts(whole, encoding?.name, signal)).result.contents;
}
