/**
 * The number of bytes that are searched for bytes that no text has, and the size of the sample that is not
 * ASCII.
 */
const EXAMINED_BYTES = 65_536;
const SAMPLE_BYTES = 4_096;

/** The maximum number of characters that decide, so that a guess takes some milliseconds at most. */
const MAX_CHARACTERS = 500;

/** The minimum likeness to a text; bytes below it have no encoding. The maximum is 1. */
const MIN_LIKENESS = 0.3;

/** The languages that are written in some encodings in addition to ASCII. */
interface Writing {
  encodings: string;
  /** The most frequent characters of each language; of Latin letters, all of them. */
  languages: readonly string[];
  /** The rest of an alphabet. */
  others?: string;
  /** The first bytes of the more frequent ideographs, in the last encoding. */
  rows?: readonly [first: number, last: number];
}

const WESTERN = ['éèàêçâîôûùëïœæ', 'äöüß', 'áéíóúñü', 'ãçáéíóõâêôàú', 'àèéìòù', 'åäöæøé'];
const CENTRAL = [
  'áíéěščřžýůúťďňó',
  'áäčďéíĺľňóôŕšťúýž',
  'ąćęłńóśźż',
  'áéíóöőúüű',
  'ăâîşţ',
  'čšžćđ',
];
const SIMPLIFIED = '的一是不了人我在有他这为之大来以个中上们到说国和地也子时';
const TRADITIONAL = '的一是不了人我在有他這為之大來以個中上們到說國和地也子時';
const KOREAN = '이다는의에하고가을를은지한로기도사리자서인아시어나대정';

/** The known kinds of writing. If a text is equally like two of them, the first one is taken. */
const WRITINGS: readonly Writing[] = [
  { encodings: 'windows-1252', languages: [...WESTERN, 'àçèéíïòóúü', 'áéíëïöü', 'åäöšž'] },
  { encodings: 'windows-1254', languages: ['ışğüöçİâ'] },
  { encodings: 'windows-1252', languages: ['áéíóúýþæöð'] },
  { encodings: 'windows-1250 iso-8859-2', languages: CENTRAL },
  { encodings: 'windows-1257', languages: ['āčēģīķļņšūž', 'ąčęėįšųūž', 'õäöüšž'] },
  { encodings: 'macintosh', languages: WESTERN },
  {
    encodings: 'windows-1251 koi8-u ibm866',
    languages: ['оеаинтсрвл'],
    others: 'а-яёіїєґўјљњћџ',
  },
  { encodings: 'windows-1253 iso-8859-7', languages: ['αοιετσνηυρ'], others: 'α-ωά-ώΐΰ' },
  { encodings: 'windows-1255', languages: ['יוהלאתרבמש'], others: 'א-ת' },
  { encodings: 'windows-1256', languages: ['اليمنوترب'], others: 'ء-غف-يپچژگکی' },
  { encodings: 'windows-874', languages: ['านรอกเงมยล'], others: 'ก-ฺเ-๎' },
  { encodings: 'shift_jis euc-jp', languages: ['ぁ-んァ-ヶー'], rows: [0xb0, 0xcf] },
  { encodings: 'gb18030', languages: [SIMPLIFIED], rows: [0xb0, 0xd7] },
  { encodings: 'big5', languages: [TRADITIONAL], rows: [0xa4, 0xc6] },
  { encodings: 'euc-kr', languages: [KOREAN], rows: [0xb0, 0xc8] },
];

/**
 * The encoding that bytes probably have if they are not valid UTF-8: the one that they declare, as in HTML
 * and XML, otherwise the one in which they are most like a text. `undefined` if they are not a text.
 */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  const examined = bytes.subarray(0, EXAMINED_BYTES);
  if (examined.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)))
    return utf16Of(examined);
  const named = encodingNamedIn(bytes);
  if (named !== undefined) return named;
  // A byte that is ASCII in one of these encodings is ASCII in all of them.
  const start = Math.max(0, bytes.findIndex((byte) => byte > 127) - 1);
  const sample = bytes.subarray(start, start + SAMPLE_BYTES);
  // Some bytes of a text in UTF-8 may be damaged.
  const utf8 = charactersOf(new TextDecoder().decode(sample, { stream: true }));
  const damaged = utf8.filter(({ character }) => character === '\uFFFD').length;
  let best = 'utf-8';
  let likeness = utf8.length === 0 ? 0 : 1 - (2 * damaged) / utf8.length;
  for (const writing of WRITINGS) {
    for (const encoding of writing.encodings.split(' ')) {
      const text = decode(sample, encoding);
      const found = text === undefined ? 0 : likenessOf(charactersOf(text), writing);
      // Sums of fractions are not exact.
      if (found > likeness + 0.001) [best, likeness] = [encoding, found];
    }
  }
  return likeness > MIN_LIKENESS ? best : undefined;
}

/** UTF-16 without a byte order mark, in which every other byte of ASCII characters is 0. */
function utf16Of(sample: Uint8Array): string | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  const most = Math.max(even, odd);
  if (sample.length % 2 === 1 || most < sample.length / 8 || Math.min(even, odd) > most / 16)
    return undefined;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const text = decode(sample, encoding);
  return text === undefined || /[\0-\x08]/.test(text) ? undefined : encoding;
}

/** The encoding that `<meta charset>` of HTML, the declaration of XML or `@charset` of CSS names. */
function encodingNamedIn(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1_024));
  const named =
    /^\s*<\?xml[^>]*?encoding=["']([\w-]+)|<meta[^>]*?charset=["']?([\w-]+)|^@charset "([\w-]+)/i
      .exec(start)
      ?.slice(1)
      .find(Boolean);
  // A text that names UTF-8, or names UTF-16 in ASCII bytes, has another encoding.
  return named === undefined || /^utf/i.test(named) ? undefined : canonicalName(named);
}

/** The name of an encoding in the Encoding Standard; `undefined` if the standard does not know the label. */
function canonicalName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The decoded sample; `undefined` if the encoding does not have its bytes. */
function decode(sample: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}

/** A character that is not ASCII, with the characters next to it. */
interface Character {
  character: string;
  before: string;
  after: string;
}

function charactersOf(text: string): Character[] {
  const found: Character[] = [];
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7F]/gu)) {
    const [before, after] = [text.charAt(index - 1), text.charAt(index + character.length)];
    if (found.push({ character, before, after }) === MAX_CHARACTERS) break;
  }
  return found;
}

/** The likeness of characters to the most similar language: the mean of their weights, 1 at most. */
function likenessOf(characters: readonly Character[], writing: Writing): number {
  const { languages, rows, others, encodings } = writing;
  const isLatin = !others && !rows;
  const known = others ? new RegExp(`[${others}]`, 'iu') : undefined;
  // The regular expression for thousands of ideographs takes long to compile, so they are in a set.
  const ideographs = rows && new Set(ideographsOf(encodings.split(' ').at(-1)!, rows));
  const frequent = languages.map((letters) => new RegExp(`[${letters}]`, 'iu'));
  const sums = languages.map(() => 0);
  for (const one of characters) {
    const { character } = one;
    const sign = weightOfSign(character, isLatin);
    const rest = ideographs
      ? weightOfIdeograph(character, ideographs)
      : known?.test(character)
        ? 0.7
        : -1;
    const penalty = sign || rows || !isOdd(one, isLatin) ? 0 : 1;
    for (const [index, expression] of frequent.entries())
      sums[index]! += sign || (expression.test(character) ? 1 : rest) - penalty;
  }
  return Math.max(...sums) / characters.length;
}

/** The weight of a sign that most encodings have; 0 for other characters. */
function weightOfSign(character: string, isLatin: boolean): number {
  if (/[‘’“”„–—…€•«»°·©®™§£]/.test(character)) return 0.6;
  if (isLatin && /[¿¡ªº]/.test(character)) return 1;
  return character === '\xA0' ? MIN_LIKENESS : 0;
}

function weightOfIdeograph(character: string, ideographs: ReadonlySet<string>): number {
  if (ideographs.has(character) || /[\u3000-\u303F\uFF01-\uFF60・]/.test(character)) return 0.8;
  return /[\p{Script=Han}\uFF61-\uFF9F]/u.test(character) ? 0 : -1;
}

/**
 * Whether a letter looks misplaced: a capital inside a word or alone, or a letter of another alphabet alone
 * or next to a Latin one.
 */
function isOdd({ character, before, after }: Character, isLatin: boolean): boolean {
  const isAlone = !/[\p{L}\p{M}]/u.test(before + after);
  if (/\p{Lu}/u.test(character) && (isAlone || /\p{Ll}/u.test(before))) return true;
  return !isLatin && (isAlone || /[a-z]/i.test(before + after));
}

/** The ideographs in some rows of the character sets of East Asia. */
function ideographsOf(encoding: string, [first, last]: readonly [number, number]): string {
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead += 1)
    for (let trail = encoding === 'big5' ? 0x40 : 0xa1; trail < 0xff; trail += 1)
      bytes.push(lead, trail);
  const text = new TextDecoder(encoding).decode(new Uint8Array(bytes));
  return text.replaceAll(/[^\p{Script=Han}\p{Script=Hangul}]/gu, '');
}
