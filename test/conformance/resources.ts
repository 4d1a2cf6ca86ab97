import type { ResourceContents, ResourceProvider } from '@inpage-mcp/server';
import { PNG } from './sample-contents.js';

const listed = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A resource of text.',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'Static binary',
    description: 'A resource of bytes.',
    mimeType: 'image/png',
    blob: PNG,
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched resource',
    description: 'A resource to subscribe to.',
    mimeType: 'text/plain',
    text: 'This is the content of the watched resource.',
  },
];

/** The resources of the scenarios `resources-*` and `caching`. */
export const fixtures: ResourceProvider = {
  name: 'fixtures',
  templates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'Template',
      description: 'A resource for each id.',
      mimeType: 'application/json',
    },
  ],
  list: () =>
    Promise.resolve({
      resources: listed.map(({ uri, name, description, mimeType }) => ({
        uri,
        name,
        description,
        mimeType,
      })),
    }),
  read(uri) {
    const contents = readListed(uri) ?? readTemplate(uri);
    return Promise.resolve(contents && [contents]);
  },
  listen: () => () => undefined,
};

function readListed(uri: string): ResourceContents | undefined {
  const resource = listed.find((one) => one.uri === uri);
  if (!resource) return undefined;
  const { mimeType, text = '', blob } = resource;
  return blob === undefined ? { uri, mimeType, text } : { uri, mimeType, blob };
}

function readTemplate(uri: string): ResourceContents | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
}
