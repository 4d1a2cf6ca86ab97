import type { McpClient, Resource } from '@inpage-mcp/client';

/** A client of a server with a fixed list, in pages; `more` replaces parts of it. */
export function listedClient(
  resources: readonly Resource[],
  more: object = {},
  pageSize = 5_000,
): McpClient {
  const client = {
    state: 'open',
    watch: () => ({ ready: Promise.resolve(), stop: () => undefined }),
    watchList: () => undefined,
    watchState: () => undefined,
    listResourceTemplates: async () => ({ resourceTemplates: [] }),
    async listResources({ cursor = '0' }: { cursor?: string } = {}) {
      const end = Number(cursor) + pageSize;
      const page = { resources: resources.slice(Number(cursor), end) };
      return end < resources.length ? { ...page, nextCursor: `${end}` } : page;
    },
    ...more,
  };
  return client as never;
}

/** So many resources with the names `0`, `1` and so on. */
export function numbered(count: number, more: Partial<Resource> = {}): Resource[] {
  return Array.from({ length: count }, (_, key) => ({ uri: `a:${key}`, name: `${key}`, ...more }));
}
