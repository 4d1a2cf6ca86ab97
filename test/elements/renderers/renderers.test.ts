import type { ResourceContents } from '@inpage-mcp/client';
import { expect } from '@esm-bundle/chai';
import { rendererFor } from '../../../packages/elements/src/show/renderers/renderers.js';

const tagOf = (contents: Partial<ResourceContents>): string | undefined =>
  rendererFor({ uri: 'a:b', text: '', ...contents } as ResourceContents)?.tag;

describe('rendererFor', () => {
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
      expect(tagOf({ mimeType }), mimeType).to.equal(`mcp-view-${kind}`);
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
        expect(tagOf({ uri, mimeType }), uri).to.equal(`mcp-view-${kind}`);
    expect(tagOf({ uri: 'file:///a.json', mimeType: 'text/csv' })).to.equal('mcp-view-table');
  });

  it('leaves prose and images to the view', () => {
    for (const mimeType of ['text/plain', 'text/markdown', 'image/png', 'image/svg+xml', undefined])
      expect(tagOf({ mimeType } as never), String(mimeType)).to.equal(undefined);
    expect(tagOf({ uri: 'a:b.svg', mimeType: 'image/svg+xml', blob: '' } as never)).to.equal(
      undefined,
    );
  });

  it('shows bytes of a text as code, and other bytes as bytes', () => {
    expect(tagOf({ mimeType: 'text/plain', blob: '' } as never)).to.equal('mcp-view-code');
    expect(tagOf({ mimeType: 'application/zip', blob: '' } as never)).to.equal('mcp-view-hex');
    expect(tagOf({ blob: '' } as never)).to.equal('mcp-view-hex');
  });

  it('takes values of a wrong type', () => {
    for (const value of [1, null, {}, []])
      expect(tagOf({ uri: value, mimeType: value } as never)).to.equal(undefined);
  });

  it('answers for a name of any length at once', () => {
    expect(tagOf({ uri: `a:${'.'.repeat(1_000_000)}` })).to.equal(undefined);
    expect(tagOf({ mimeType: `a/${'+x'.repeat(500_000)}` })).to.equal(undefined);
  });
});
