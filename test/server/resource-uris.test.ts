import { expect } from '@esm-bundle/chai';
// The file is internal to the package and pure, so it is tested where it is.
import {
  fileUri,
  foldersOf,
  folderUri,
  noteUri,
  parseResourceUri,
} from '../../packages/server/src/resources/resource-uris.js';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('resource uris', () => {
  it('gives a note the uri of its id, and reads it back', () => {
    expect(noteUri(ID)).to.equal(`note:///${ID}`);
    expect(parseResourceUri(`note:///${ID}`)).to.deep.equal({ kind: 'note', id: ID });
  });

  const paths: [path: string, uri: string][] = [
    ['a.txt', 'file:///a.txt'],
    ['photos/cat 1.png', 'file:///photos/cat%201.png'],
    ['100%.txt', 'file:///100%25.txt'],
    ['a#b?c', 'file:///a%23b%3Fc'],
    ['日本/😀.md', 'file:///%E6%97%A5%E6%9C%AC/%F0%9F%98%80.md'],
    ['"quoted"', 'file:///%22quoted%22'],
    ['%2e%2e', 'file:///%252e%252e'],
    ['a\\b', 'file:///a%5Cb'],
    ['...', 'file:///...'],
    ['search', 'file:///%73earch'],
    ['storage', 'file:///%73torage'],
    ['sync', 'file:///%73ync'],
    [ID, `file:///%30${ID.slice(1)}`],
    [`x/${ID}`, `file:///x/${ID}`],
  ];
  for (const [path, uri] of paths) {
    it(`gives the path ${path} a uri that reads back as it`, () => {
      expect(fileUri(path)).to.equal(uri);
      expect(parseResourceUri(uri)).to.deep.equal({ kind: 'file', path });
      expect(new URL(uri).protocol).to.equal('file:');
    });
  }

  it('gives a folder the uri of its path and a slash, and reads it back', () => {
    for (const [path, uri] of [
      ['a', 'file:///a/'],
      ['photos 1/日本', 'file:///photos%201/%E6%97%A5%E6%9C%AC/'],
      // No file or note has this pathname, so nothing has to be escaped.
      ['search', 'file:///search/'],
      [ID, `file:///${ID}/`],
    ] as const) {
      expect(folderUri(path)).to.equal(uri);
      expect(parseResourceUri(uri)).to.deep.equal({ kind: 'folder', path });
    }
  });

  it('lists the folders that a file is in, the outermost first', () => {
    expect(foldersOf('a')).to.deep.equal([]);
    expect(foldersOf('a/b/c')).to.deep.equal(['a', 'a/b']);
  });

  it('reads the query of a search, however it is spelled', () => {
    for (const [encoded, query] of [
      ['milk', 'milk'],
      ['milk%20bread', 'milk bread'],
      ['a+b', 'a+b'],
      ['%61%26%23', 'a&#'],
      ['日本', '日本'],
    ]) {
      const target = parseResourceUri(`note:///search?q=${encoded}`);
      expect(target).to.deep.equal({ kind: 'search', query });
    }
  });

  it('gives no file the pathname of a note', () => {
    expect(new URL(fileUri(ID)).pathname).not.to.equal(new URL(noteUri(ID)).pathname);
  });

  const strangers = [
    '',
    'note:',
    'note:///',
    `note:///${ID.toLowerCase()}`,
    `note:///${ID}/`,
    `note:///${ID}x`,
    `note:///8${ID.slice(1)}`,
    `note://host/${ID}`,
    `NOTE:///${ID}`,
    `note:///%30${ID.slice(1)}`,
    'note:///__proto__',
    'note:///constructor',
    'file:',
    'file:///',
    'file:///.',
    'file:///..',
    'file:///a/../b',
    'file:///a//b',
    'file:///a//',
    'file:////',
    'file:///./',
    'file:///a/../',
    'file:///%2e/',
    'file:///a%2F/',
    'file:///a b/',
    'file:///%2e%2e/a',
    'file:///a%2Fb',
    'file:///a%2fb',
    'file:///%E6%97%a5',
    'file:///%',
    'file:///%zz',
    'file:///%00',
    'file:///%ED%A0%80',
    'file:///\ud800',
    'file:///a/\udc00/',
    'file:///a b',
    'file:///日本',
    'file:///search',
    'file://host/a',
    'FILE:///a',
    'note:///search',
    'note:///search?',
    'note:///search?q=',
    'note:///search?q=%20',
    'note:///search?q=%',
    'note:///search?q=a&b=c',
    'note:///search?q=a#b',
    'note:///SEARCH?q=a',
    'https://example.com/a',
    'javascript:alert(1)',
  ];
  for (const uri of strangers) {
    it(`finds nothing behind "${uri}"`, () => {
      expect(parseResourceUri(uri)).to.equal(undefined);
    });
  }

  it('does not look at a uri that is longer than any it makes', () => {
    const longest = `file:///${'a'.repeat(2_048 - 'file:///'.length)}`;
    expect(parseResourceUri(longest)).to.have.property('kind', 'file');
    expect(parseResourceUri(`${longest}a`)).to.equal(undefined);
    expect(parseResourceUri(`file:///${'%25'.repeat(700_000)}`)).to.equal(undefined);
  });
});
