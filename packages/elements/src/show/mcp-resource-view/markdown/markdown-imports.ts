// The imports of `markdown-it`, reduced to the parts that a page needs: scripts/building/markdown-bundle.mjs
// replaces `entities`, `linkify-it`, `mdurl` and `uc.micro` by this module, because they are larger than the
// parser. The names are theirs.

/** Punctuation, and symbols. */
export const P = /\p{P}/u;
export const S = /\p{S}/u;

/**
 * The character entities of HTML 4, and a few more, in the order of their code points. An entity with a
 * number (base 36) names its code point; the others follow the previous one.
 */
const ENTITIES =
  'quot=y amp=12 apos lt=1o gt=1q nbsp=4g iexcl cent pound curren yen brvbar sect uml copy ' +
  'ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm ' +
  'raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde ' +
  'Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde ' +
  'auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml ' +
  'OElig=9e oelig Scaron=9s scaron Yuml=ag fnof=b6 circ=jq tilde=kc Alpha=pd Beta Gamma ' +
  'Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma=pv Tau ' +
  'Upsilon Phi Chi Psi Omega alpha=q9 beta gamma delta epsilon zeta eta theta iota kappa ' +
  'lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega thetasym=r5 ' +
  'upsih piv=ra ensp=6bm emsp thinsp=6bt zwnj=6bw zwj lrm rlm ndash=6c3 mdash lsquo=6c8 ' +
  'rsquo sbquo ldquo=6cc rdquo bdquo dagger=6cg Dagger bull hellip=6cm permil=6cw prime=6cy ' +
  'Prime lsaquo=6d5 rsaquo oline=6da frasl=6dg euro=6gc image=6j5 weierp=6jc real=6jg ' +
  'trade=6jm alefsym=6k5 larr=6mo uarr rarr darr harr crarr=6np lArr=6og uArr rArr dArr ' +
  'hArr forall=6ps part=6pu exist empty=6px nabla=6pz isin notin ni=6q3 prod=6q7 sum=6q9 ' +
  'minus lowast=6qf radic=6qi prop=6ql infin ang=6qo and=6qv or cap cup int there4=6r8 ' +
  'sim=6rg cong=6rp asymp=6rs ne=6sg equiv le=6sk ge sub=6te sup nsub sube=6ti supe ' +
  'oplus=6tx otimes=6tz perp=6ud sdot=6v9 lceil=6x4 rceil lfloor rfloor loz=7gq star=7ie ' +
  'phone=7im spades=7kw clubs=7kz hearts=7l1 diams check=7pv cross=7pz lang=7vs rang';

const entities = readEntities();

function readEntities(): Map<string, string> {
  let codePoint = 0;
  return new Map(
    ENTITIES.split(' ').map((entity) => {
      const [name = '', start] = entity.split('=');
      codePoint = start === undefined ? codePoint + 1 : Number.parseInt(start, 36);
      return [name, String.fromCodePoint(codePoint)];
    }),
  );
}

/** The character of an entity such as `&copy;`; the entity itself if its name is unknown. */
export function decodeHTMLStrict(entity: string): string {
  return entities.get(entity.slice(1, -1)) ?? entity;
}

/** An address in a text. */
interface Match {
  schema: string;
  index: number;
  lastIndex: number;
  text: string;
  url: string;
}

const WEB = /https?:\/\/[^\s<>"]{1,2000}/gi;

/** An address of the web or of e-mail; every repetition has a limit. */
const ANY = new RegExp(`${WEB.source}|[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}`, 'gi');

/** Finds addresses that are not written as links. */
export class LinkifyIt {
  test(text: string): boolean {
    return text.includes('://') || text.includes('@');
  }

  match(text: string): Match[] {
    return Array.from(text.matchAll(ANY), toMatch);
  }

  matchAtStart(text: string): Match | null {
    WEB.lastIndex = 0;
    const found = WEB.exec(text.slice(0, 2_010));
    return found?.index === 0 ? toMatch(found) : null;
  }
}

function toMatch(found: RegExpExecArray): Match {
  const { index } = found;
  const text = withoutEnd(found[0]);
  const isWeb = text.includes('://');
  const schema = isWeb ? text.slice(0, text.indexOf('//')) : 'mailto:';
  return { schema, index, lastIndex: index + text.length, text, url: isWeb ? text : schema + text };
}

/** An address without characters that end the sentence around it, or close a bracket that opens before it. */
function withoutEnd(address: string): string {
  let end = address.length;
  let closing = address.split(')').length - address.split('(').length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    if (last === ')' ? closing-- <= 0 : !/[.,;:!?'*_~\]]/.test(last)) break;
    end -= 1;
  }
  return address.slice(0, end);
}

/** Escapes characters that an address cannot contain; existing escapes stay. */
export function encode(address: string): string {
  return encodeURI(address.toWellFormed()).replace(/%25([\da-f]{2})/gi, '%$1');
}

/** Returns an address unchanged, because it is shown as it is written. */
export function decode(address: string): string {
  return address;
}

/** Parses an address as one part, because the browser knows hosts in all scripts. */
export function parse(address: string): { pathname: string } {
  return { pathname: address };
}

export function format({ pathname }: { pathname: string }): string {
  return pathname;
}
