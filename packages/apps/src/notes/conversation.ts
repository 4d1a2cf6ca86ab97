import type { ContentBlock, ResourceLink } from '@inpage-mcp/client';
import type { Host } from '@inpage-mcp/client/app';

const META = 'io.github.inpage-mcp/resource';

/** Whether the host lets an app add something for the model, at once or with the next turn. */
export const canAdd = ({ capabilities }: Host): boolean =>
  Boolean(capabilities['updateModelContext'] ?? capabilities['message']);

/**
 * Puts links to notes into the conversation.
 *
 * @param uris The notes that are new there.
 * @param before The links that the app has put there before: a host keeps only the last context of an app.
 *   Their notes are not read again, because they may have been deleted since.
 * @returns The links that the app has put there.
 */
export async function addToConversation(
  host: Host,
  uris: readonly string[],
  before: readonly ResourceLink[],
): Promise<readonly ResourceLink[]> {
  const { updateModelContext, message } = host.capabilities;
  const added = await Promise.all(uris.map((uri) => linkTo(host, uri)));
  const all = [...before.filter(({ uri }) => !uris.includes(uri)), ...added];
  const links = updateModelContext ? all : added;
  const kinds = Object.keys((updateModelContext ?? message) as object);
  const takesLinks = kinds.length === 0 || kinds.includes('resourceLink');
  const content: ContentBlock[] = takesLinks ? links : [{ type: 'text', text: inWords(links) }];
  await (updateModelContext ? host.updateContext({ content }) : host.sendMessage(content));
  return all;
}

/** A link to a note. The title of the note is in the answer that has its text. */
async function linkTo({ client }: Host, uri: string): Promise<ResourceLink> {
  const { contents } = await client.readResource(uri);
  const meta = contents[0]?._meta?.[META] as { title?: unknown } | undefined;
  const name = typeof meta?.title === 'string' && meta.title !== '' ? meta.title : 'Untitled';
  return { type: 'resource_link', uri, name, mimeType: 'text/markdown' };
}

const inWords = (links: readonly ResourceLink[]): string =>
  `Notes that the user refers to:\n${links.map(({ name, uri }) => `- ${name} (${uri})`).join('\n')}`;
