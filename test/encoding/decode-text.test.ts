import { decodeText, isTextType } from '@inpage-mcp/encoding';
import { expect } from '@open-wc/testing';
import { leastTime } from '../support/slowness.js';

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Texts as programs of their time have written them. */
const LEGACY: readonly [encoding: string, text: string, hex: string][] = [
  ['windows-1252', 'Grüße aus Köln – 5 €', '4772fcdf6520617573204bf66c6e209620352080'],
  ['windows-1250', 'Zażółć gęślą jaźń', '5a61bff3b3e62067ea9c6cb9206a619ff1'],
  [
    'windows-1251',
    'Список покупок: молоко, хлеб, сыр',
    'd1efe8f1eeea20efeeeaf3efeeea3a20eceeebeeeaee2c20f5ebe5e12c20f1fbf0',
  ],
  [
    'koi8-u',
    'Список покупок: молоко, хлеб, сыр',
    'f3d0c9d3cfcb20d0cfcbd5d0cfcb3a20cdcfcccfcbcf2c20c8ccc5c22c20d3d9d2',
  ],
  ['ibm866', 'Привет, мир! Это обычный', '8fe0a8a2a5e22c20aca8e021209de2ae20aea1ebe7adeba9'],
  [
    'shift_jis',
    '買い物リスト：牛乳、パン、卵',
    '948382a295a8838a8358836781468b8d93fb81418370839381419791',
  ],
  ['euc-jp', 'こんにちは世界。', 'a4b3a4f3a4cba4c1a4cfc0a4b3a6a1a3'],
  ['gb18030', '购物清单：牛奶、面包', 'b9baceefc7e5b5a5a3bac5a3c4cca1a2c3e6b0fc'],
  ['big5', '購物清單：牛奶、麵包', 'c1caaaabb24db3e6a147a4fba5a4a142c4d1a55d'],
  ['euc-kr', '안녕하세요. 한국어', 'bec8b3e7c7cfbcbcbfe42e20c7d1b1b9beee'],
  ['windows-1253', 'Καλημέρα κόσμε', 'cae1ebe7ecddf1e120eafcf3ece5'],
  [
    'windows-1254',
    'şişe, İstanbul, ışık ve çiçek',
    'fe69fe652c20dd7374616e62756c2c20fdfefd6b20766520e769e7656b',
  ],
  [
    'windows-1255',
    'שלום עולם, זה טקסט בעברית',
    'f9ece5ed20f2e5eced2c20e6e420e8f7f1e820e1f2e1f8e9fa',
  ],
  ['windows-1256', 'مرحبا بالعالم هذا نص', 'e3d1cdc8c720c8c7e1dac7e1e320e5d0c720e4d5'],
  ['windows-874', 'สวัสดีชาวโลก', 'cac7d1cab4d5aad2c7e2c5a1'],
  [
    'windows-1257',
    'čia yra lietuviškas tekstas, šeši žąsys',
    'e8696120797261206c696574757669f06b61732074656b737461732c20f065f06920fee0737973',
  ],
  ['macintosh', 'Café crème, “très bon”', '4361668e2063728f6d652c20d274728f7320626f6ed3'],
  // English, with signs of typography alone.
  [
    'windows-1252',
    'It’s “quoted” – 5 €',
    '4974927320937175 6f74656494209620352080'.replace(' ', ''),
  ],
];

describe('decodeText', () => {
  for (const [encoding, text, hex] of LEGACY) {
    it(`guesses ${encoding}: ${text}`, async () => {
      const decoded = await decodeText(bytesOf(hex));
      expect(decoded).to.deep.equal({ text, encoding, isGuess: true });
    });
  }

  it('is certain of UTF-8 and keeps its byte order mark, so that it can be encoded again', async () => {
    for (const text of ['', 'a', 'Grüße 😀', '\uFEFF# é', 'a\0b']) {
      const decoded = await decodeText(new TextEncoder().encode(text));
      expect(decoded).to.deep.equal({ text, encoding: 'utf-8', isGuess: false });
    }
  });

  it('is certain of UTF-16 with a byte order mark, which is not of the text', async () => {
    const little = await decodeText(bytesOf('fffe4100e9004230'));
    expect(little).to.deep.equal({ text: 'Aéあ', encoding: 'utf-16le', isGuess: false });
    const big = await decodeText(bytesOf('feff004100e93042'));
    expect(big).to.deep.equal({ text: 'Aéあ', encoding: 'utf-16be', isGuess: false });
  });

  it('guesses UTF-16 without a byte order mark by the zeros of its ASCII', async () => {
    const little = await decodeText(bytesOf('4100ff004200').subarray(0, 6));
    expect(little).to.deep.equal({ text: 'AÿB', encoding: 'utf-16le', isGuess: true });
    const big = await decodeText(bytesOf('004100ff0042'));
    expect(big).to.deep.equal({ text: 'AÿB', encoding: 'utf-16be', isGuess: true });
  });

  it('reads UTF-8 of which some bytes are damaged as UTF-8', async () => {
    const decoded = await decodeText(bytesOf('61ffc3a9c3bcc3b6'));
    expect(decoded).to.deep.equal({ text: 'a\uFFFDéüö', encoding: 'utf-8', isGuess: true });
  });

  it('believes what a text names', async () => {
    for (const start of [
      '<!doctype html><meta charset=koi8-r>',
      '<?xml encoding="koi8-r"?>',
      '@charset "KOI8-R";',
    ]) {
      const bytes = new Uint8Array([...new TextEncoder().encode(start), 0xc1]);
      expect(await decodeText(bytes), start).to.include({ encoding: 'koi8-r', text: `${start}а` });
    }
    // It is none of these, whatever it says.
    const wrong = '<meta charset="utf-8"> Stra';
    const bytes = new Uint8Array([...new TextEncoder().encode(wrong), 0xdf, 0x65]);
    expect(await decodeText(bytes)).to.include({ encoding: 'windows-1252', text: `${wrong}ße` });
  });

  it('finds no text in other bytes', async () => {
    for (const hex of ['ff', '89504e470d0a1a0a0000', 'fffe000041000000'])
      expect(await decodeText(bytesOf(hex)), hex).to.equal(undefined);
  });

  it('takes an encoding in the place of a guess, and only there', async () => {
    const koi = bytesOf('f3d0c9d3cfcb');
    expect(await decodeText(koi, { encoding: 'windows-1251' })).to.deep.equal({
      text: 'уРЙУПЛ',
      encoding: 'windows-1251',
      isGuess: true,
    });
    expect(await decodeText(bytesOf('ff'), { encoding: 'latin1' })).to.include({ text: 'ÿ' });
    expect(await decodeText(bytesOf('c3a9'), { encoding: 'latin1' })).to.include({ text: 'é' });
    expect(await decodeText(bytesOf('fffe4100'), { encoding: 'big5' })).to.include({ text: 'A' });
  });

  it('leaves out half of a character at the end of a part', async () => {
    expect(await decodeText(bytesOf('61c3'), { isCut: true })).to.include({ text: 'a' });
    const half = bytesOf('bec8b3e7c7cfbcbcbf');
    expect(await decodeText(half, { isCut: true })).to.include({ text: '안녕하세' });
  });

  it('is quick where a guess takes longest, and pauses between portions', async () => {
    const bytes = new Uint8Array(3 * 1_048_576).fill(0xe9);
    let pauses = 0;
    await decodeText(bytes, { pause: () => Promise.resolve(void (pauses += 1)) });
    expect(pauses).to.be.within(3, 6);
    const { guessEncoding } = await import('../../packages/encoding/src/guess-encoding.js');
    expect(await leastTime(100, () => guessEncoding(bytes))).to.be.below(100);
  });
});

describe('isTextType', () => {
  it('knows texts by their media type', () => {
    const texts =
      'text/plain|TEXT/CSV; charset=x|application/json|application/ld+json|image/svg+xml';
    for (const type of texts.split('|')) expect(isTextType(type), type).to.equal(true);
    for (const type of ['', 'image/png', 'application/pdf', 'application/jsonx', 'x/text/plain'])
      expect(isTextType(type), type).to.equal(false);
  });
});
