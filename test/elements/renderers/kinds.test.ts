import type { ResourceContents } from '@inpage-mcp/client';
import { expect } from '@esm-bundle/chai';
import { kindOf } from '../../../packages/elements/src/show/mcp-resource-view/content/kinds.js';

const kindIn = (contents: Partial<ResourceContents>): string =>
  kindOf({ uri: 'a:b', text: '', ...contents } as ResourceContents).replace('mcp-view-', '');
const kindOfBytes = (contents: object): string =>
  kindOf({ uri: 'a:b', blob: '', ...contents } as ResourceContents);

describe('kindOf', () => {
  it('chooses by the media type', () => {
    const tags = {
      'application/json': 'json',
      'application/ld+json; charset=utf-8': 'json',
      'application/jsonl': 'json',
      'application/x-ndjson': 'json',
      'text/csv;header=present': 'table',
      'text/tab-separated-values': 'table',
      'text/html': 'html',
      'application/xhtml+xml': 'html',
      'application/pdf': 'pdf',
      'audio/mpeg': 'media',
      'VIDEO/MP4': 'media',
      'text/javascript': 'code',
      'application/xml': 'code',
      'application/yaml': 'code',
      'text/x-python': 'code',
    };
    for (const [mimeType, kind] of Object.entries(tags))
      expect(kindIn({ mimeType }), mimeType).to.equal(kind);
  });

  it('chooses by the name where the type is missing or generic', () => {
    const tags = {
      'file:///a.json': 'json',
      'file:///a.NDJSON': 'json',
      'file:///a.csv': 'table',
      'file:///a.html': 'html',
      'file:///a.pdf': 'pdf',
      'file:///a.webm': 'media',
      'file:///a.ts': 'code',
      'file:///a.py': 'code',
    };
    for (const [uri, kind] of Object.entries(tags))
      for (const mimeType of ['', 'text/plain', 'application/octet-stream', 'video/mp2t'])
        expect(kindIn({ uri, mimeType }), uri).to.equal(kind);
    expect(kindIn({ uri: 'file:///a.json', mimeType: 'text/csv' })).to.equal('table');
  });

  it('believes only a well-formed media type', () => {
    expect(kindIn({ mimeType: ' Image/PNG ; a=b' })).to.equal('image');
    for (const mimeType of ['image/png,text/html', 'image/png text/html', 'image/', 'png', 'a/b/c'])
      expect(kindIn({ uri: 'file:///a.json', mimeType }), mimeType).to.equal('json');
  });

  it('shows prose and images in the view itself', () => {
    expect(kindIn({ mimeType: 'text/plain' })).to.equal('text');
    expect(kindIn({})).to.equal('text');
    expect(kindIn({ mimeType: 'text/markdown' })).to.equal('markdown');
    expect(kindIn({ mimeType: 'image/svg+xml' })).to.equal('image');
    expect(kindOfBytes({ uri: 'a:b.svg', mimeType: 'image/svg+xml' })).to.equal('image');
    expect(kindOfBytes({ uri: 'a:b.JPG?x' })).to.equal('image');
  });

  it('shows bytes of a text as code, and offers other bytes as a download', () => {
    expect(kindOfBytes({ mimeType: 'text/x-log' })).to.equal('code');
    expect(kindOfBytes({ mimeType: 'text/plain' })).to.equal('code');
    expect(kindOfBytes({ mimeType: 'application/zip' })).to.equal('file');
    expect(kindOfBytes({})).to.equal('file');
  });

  it('shows HTML as its source first, and bytes that say that they are HTML as a download', () => {
    const contents = { uri: 'a:b', mimeType: 'text/html', text: '' };
    expect(kindOf(contents, 'auto')).to.equal('text');
    expect(kindOf(contents, 'formatted')).to.equal('mcp-view-html');
    expect(kindOf({ uri: 'a:b', mimeType: 'text/html', blob: '' }, 'auto')).to.equal('file');
  });

  it('answers for a name of any length at once', () => {
    expect(kindIn({ uri: `a:${'.'.repeat(1_000_000)}` })).to.equal('text');
    expect(kindIn({ mimeType: `a/${'+x'.repeat(500_000)}` })).to.equal('text');
  });
});
