import { startServer, type ResourcePage, type ResourceProvider } from '@inpage-mcp/server';

type Resource = ResourcePage['resources'][number];

/** As long as those of the server: a PNG of some 210 bytes in base64. */
const ICON = { src: `data:image/png;base64,${'iVBORw0K'.repeat(35)}`, mimeType: 'image/png' };

/** The name of the worker says what its resources carry. */
const withIcons = self.name === 'with icons';

const resources = Array.from({ length: 1_200 }, (_, index): Resource => {
  const resource: Resource = {
    uri: `app:///${index}`,
    name: `Resource ${index}`,
    title: `Resource ${index}`,
    description: 'The first line of a note of the usual length, as lists show it.',
    mimeType: 'text/markdown',
    size: index,
    annotations: { lastModified: new Date(0).toISOString() },
  };
  if (withIcons) resource.icons = [{ ...ICON, sizes: ['32x32'] }];
  return resource;
});

const listing: ResourceProvider = {
  name: 'listing',
  templates: [],
  async list({ after = '0', limit }) {
    const start = Number(after);
    const page = { resources: resources.slice(start, start + limit) };
    return start + limit < resources.length ? { ...page, next: String(start + limit) } : page;
  },
  read: async () => undefined,
  listen: () => () => undefined,
};

startServer({ providers: [listing], features: [] });
