import { expect } from '@esm-bundle/chai';
import '@inpage-mcp/elements/all';
import { foldText } from '@inpage-mcp/elements';
import { fold } from '@inpage-mcp/store';

describe('a text as searches compare it', () => {
  it('is without case, accents and width', () => {
    expect(foldText('Ｃafé STRASSE Straße Ærø Łódź İzmir ΟΔΟΣ')).to.equal(
      'cafe strasse strasse aero lodz izmir οδοσ',
    );
    expect(foldText('がくせい हिन्दी 한국')).to.equal('がくせい हिन्दी 한국');
  });

  it('is the same in the elements and in the store, whose search they show', () => {
    const texts =
      'Ünïcödé naïve œuvre Øl đà Íslenskt Þór ıIİi ﬁne ½ Ёлка шáпка ὁδός שָׁלוֹם كِتَاب ﾊﾟｿｺﾝ Việt 豆腐';
    for (const text of texts.split(' ')) expect(foldText(text), text).to.equal(fold(text));
  });
});
