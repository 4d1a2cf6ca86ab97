import { expect } from '@open-wc/testing';
// Internal: no element shows all of these.
import {
  escapeInvisible,
  visibleName,
  visibleText,
} from '../../packages/elements/src/text/visible-text.js';

describe('visible texts', () => {
  const FAMILY = '👩\u200D👩\u200D👧';

  it('keep the words of people, and show what turns or hides them', () => {
    expect(visibleText(`a\n\tb ${FAMILY} \u200B`)).to.equal(`a\n\tb ${FAMILY} \u200B`);
    expect(visibleText('x\u202Efdp.exe\u{E0041}')).to.equal('x⟨U+202E⟩fdp.exe⟨U+E0041⟩');
  });

  it('have names on one line, in which nothing is hidden', () => {
    expect(visibleName('a\n\u200B\u3164\uD800b')).to.equal('a⟨U+000A⟩⟨U+200B⟩⟨U+3164⟩⟨U+D800⟩b');
  });

  it('are strings of JSON for what a program sends, without losing a character', () => {
    for (const hidden of [
      '\u202E',
      '\u2028',
      '\u200B',
      '\uFEFF',
      '\u3164',
      '\u{E0041}',
      '\uD800',
    ]) {
      const escaped = escapeInvisible(`a${hidden}b`);
      expect(escaped).to.match(/^a(\\u[\dA-F]{4}){1,2}b$/);
      expect(JSON.parse(`"${escaped}"`)).to.equal(`a${hidden}b`);
    }
    expect(escapeInvisible(`${FAMILY} ❤️ مرحبا`)).to.equal(`${FAMILY} ❤️ مرحبا`);
  });
});
