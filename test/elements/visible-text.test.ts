import { expect } from '@open-wc/testing';
// Internal: no element shows all of these.
import '@inpage-mcp/elements/all';
import { truncateText } from '@inpage-mcp/elements';
import {
  escapeInvisible,
  visibleText,
} from '../../packages/elements/src/base/text/visible-text.js';

describe('visible texts', () => {
  const FAMILY = '👩\u200D👩\u200D👧';

  it('keep the words of people, with what their languages and emoji need', () => {
    for (const text of [
      `a\n\tb\r\n ${FAMILY} ❤️ 1️⃣ 👩🏽‍🚀 ❤️‍🔥`,
      'می‌خواهم مرحبا\u200F \u200Eשלום',
      'क्\u200Dष ไทย\u200Bไทย 辻\u{E0100}',
    ])
      expect(visibleText(text)).to.equal(text);
  });

  it('show what turns or hides them', () => {
    expect(visibleText('x\u202Efdp.exe\u{E0041}')).to.equal('x⟨U+202E⟩fdp.exe⟨U+E0041⟩');
    expect(visibleText('a\u2066b\u2069\u200B\u3164\uD800')).to.equal(
      'a⟨U+2066⟩b⟨U+2069⟩⟨U+200B⟩⟨U+3164⟩⟨U+D800⟩',
    );
    // Where they have no effect, they only hide.
    expect(visibleText('re\u200Dad a\uFE0F b\rc')).to.equal('re⟨U+200D⟩ad a⟨U+FE0F⟩ b⟨U+000D⟩c');
    expect(visibleText('❤\uFE0F\uFE0F')).to.equal('❤⟨U+FE0F⟩⟨U+FE0F⟩');
  });

  it('count many in a row: from the ninth on', () => {
    const hidden = '\uFE01'.repeat(900) + '\u200B'.repeat(1_000);
    expect(visibleText(`Buy milk.${hidden}`)).to.equal('Buy milk.⟨U+FE01 … U+200B: 1900⟩');
    expect(visibleText('\u200B'.repeat(8))).to.equal('⟨U+200B⟩'.repeat(8));
    expect(visibleText('\u200B'.repeat(9))).to.equal('⟨U+200B … U+200B: 9⟩');
    expect(visibleText('\u{E0100}'.repeat(9))).to.equal('⟨U+E0100 … U+E0100: 9⟩');
  });

  it('are also all that is shown in one place', () => {
    expect(truncateText('a\u202Eb')).to.equal('a⟨U+202E⟩b');
    expect(truncateText('ab\u200Bc', 3)).to.equal('ab⟨U+200B⟩…');
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
