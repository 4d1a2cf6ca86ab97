/** How much is examined for bytes that no text has, and of what is not ASCII. */
const EXAMINED_BYTES = 65_536;
const SAMPLE_BYTES = 4_096;

/** So many characters decide, which takes some milliseconds at most. */
const MAX_CHARACTERS = 500;

/** Bytes that are less like a text than this are in no encoding; 1 is most. */
const MIN_LIKENESS = 0.3;

/** What is written in some encodings besides ASCII. */
interface Writing {
  encodings: string;
  /** For each language the most frequent characters; of Latin letters, all. */
  languages: readonly string[];
  /** The rest of an alphabet. */
  others?: string;
  /** Of ideographs: the first bytes of the more frequent ones, in the last encoding. */
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

/** Of two that a text is equally like, the first is taken. */
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
 * The encoding that bytes are probably in, which are not valid UTF-8: the one they name themselves, as
 * HTML and XML do, else the one in which they are most like a text. `undefined` if they are no text.
 */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  const examined = bytes.subarray(0, EXAMINED_BYTES);
  if (examined.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)))
    return utf16Of(examined);
  const named = encodingNamedIn(bytes);
  if (named !== undefined) return named;
  // All that is ASCII in these encodings is so in each of them.
  const start = Math.max(0, bytes.findIndex((byte) => byte > 127) - 1);
  const sample = bytes.subarray(start, start + SAMPLE_BYTES);
  // Some bytes of a text in UTF-8 may be damaged.
  const utf8 = new TextDecoder().decode(sample, { stream: true });
  let best = 'utf-8';
  let likeness = mean(utf8, (character) => (character === '\uFFFD' ? -1 : 1));
  for (const writing of WRITINGS) {
    const weights = weightsOf(writing);
    for (const encoding of writing.encodings.split(' ')) {
      const text = decode(sample, encoding);
      const likenesses = text === undefined ? [] : weights.map((weight) => mean(text, weight));
      const most = Math.max(...likenesses);
      // Sums of fractions are not exact.
      if (most > likeness + 0.001) [best, likeness] = [encoding, most];
    }
  }
  return likeness > MIN_LIKENESS ? best : undefined;
}

/** UTF-16 without a byte order mark: every other byte of its ASCII is 0. */
function utf16Of(sample: Uint8Array): string | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  const most = Math.max(even, odd);
  if (most < sample.length / 8 || Math.min(even, odd) > most / 16) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** What `<meta charset>` of HTML, the declaration of XML or `@charset` of CSS says. */
function encodingNamedIn(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1_024));
  const named =
    /^\s*<\?xml[^>]*?encoding=["']([\w-]+)|<meta[^>]*?charset=["']?([\w-]+)|^@charset "([\w-]+)/i
      .exec(start)
      ?.slice(1)
      .find(Boolean);
  // A text that names UTF-8, or UTF-16 in bytes that are ASCII, is in another encoding.
  return named === undefined || /^utf/i.test(named) ? undefined : canonicalName(named);
}

/** `undefined` for names that the Encoding Standard does not know. */
function canonicalName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** `undefined` for bytes that the encoding does not have. */
function decode(sample: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}

/** How much each character speaks for a language, one function for each. */
function weightsOf({ languages, others, rows, encodings }: Writing): Weight[] {
  const isLatin = !others && !rows;
  const rest = rows
    ? `${ideographsOf(encodings.split(' ').at(-1)!, rows)}\\u3000-\\u303f\\uff01-\\uff60・`
    : (others ?? '');
  const marks = isLatin ? '¿¡ªº' : '';
  return languages.map((letters) => {
    const frequent = new RegExp(`[${letters}${marks}]`, 'iu');
    const known = rest ? new RegExp(`[${rest}]`, 'iu') : undefined;
    return (character, before, after) => {
      // Signs that most encodings have.
      if (/[‘’“”„–—…€•«»°·©®™§£]/.test(character)) return 0.6;
      if (character === '\xA0') return MIN_LIKENESS;
      const weight = frequent.test(character)
        ? 1
        : known?.test(character)
          ? rows
            ? 0.8
            : 0.7
          : -1;
      if (rows) return weight < 0 && /[\p{Script=Han}\uff61-\uff9f]/u.test(character) ? 0 : weight;
      // A capital after a small letter; a letter that stands alone, or beside one of another alphabet.
      const isAlone = !/[\p{L}\p{M}]/u.test(before + after);
      const isCapital = /\p{Lu}/u.test(character) && (isAlone || /\p{Ll}/u.test(before));
      const isOdd = isCapital || (!isLatin && (isAlone || /[a-z]/i.test(before + after)));
      return isOdd ? weight - 1 : weight;
    };
  });
}

/** In the rows of the character sets of East Asia. */
function ideographsOf(encoding: string, [first, last]: readonly [number, number]): string {
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead += 1)
    for (let trail = encoding === 'big5' ? 0x40 : 0xa1; trail < 0xff; trail += 1)
      bytes.push(lead, trail);
  const text = new TextDecoder(encoding).decode(new Uint8Array(bytes));
  return text.replaceAll(/[^\p{Script=Han}\p{Script=Hangul}]/gu, '');
}

type Weight = (character: string, before: string, after: string) => number;

/** The mean of the weights of all characters outside of ASCII. */
function mean(text: string, weight: Weight): number {
  let [sum, count] = [0, 0];
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7F]/gu)) {
    sum += weight(character, text.charAt(index - 1), text.charAt(index + character.length));
    count += 1;
    if (count === MAX_CHARACTERS) break;
  }
  return count === 0 ? 0 : sum / count;
}
