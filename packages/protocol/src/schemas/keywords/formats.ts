/** Tests whether a text has a format. */
type FormatTest = (text: string) => boolean;

const like = (source: string, flags = 'i'): FormatTest => {
  const pattern = new RegExp(`^(?:${source})$`, flags);
  return (text) => pattern.test(text);
};

const isDate: FormatTest = (text) =>
  // `Date` accepts the 31st of each month, but only a day that exists is converted back to the same text.
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  (new Date(text).toJSON() as string | null)?.startsWith(text) === true;
const isTime = like(
  String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)|23:59:60z`,
);
const isLocalTime: FormatTest = (text) => isTime(text) || isTime(`${text}z`);
const dated =
  (isRest: FormatTest): FormatTest =>
  (text) =>
    isDate(text.slice(0, 10)) && /^[t\s]$/i.test(text.charAt(10)) && isRest(text.slice(11));

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;

const CHARACTER = String.raw`[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2}`;
/** The host of a uri as an address in brackets. */
const BRACKETS = String.raw`\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?\[[\da-f:.]+\](?::\d*)?(?=[/?#]|$)`;
const REST = String.raw`(?:${BRACKETS})?(?:${CHARACTER})*(?:\?(?:${CHARACTER}|\?)*)?(?:#(?:${CHARACTER}|\?)*)?`;
const SCHEME = String.raw`[a-z][a-z0-9+.-]*:`;
/** Tests a uri. The platform decides which addresses in brackets are valid. */
const uriLike = (source: string): FormatTest => {
  const isUri = like(source);
  return (text) => isUri(text) && (!text.includes('[') || makes(() => new URL(text, 'a://a')));
};

/**
 * The formats that the validators of the official clients check, ajv-formats and @cfworker/json-schema. Any
 * text that passes here passes both. Some texts are refused that only one of them accepts, or that nobody
 * writes.
 */
export const FORMATS: { readonly [name: string]: FormatTest } = {
  date: isDate,
  time: isTime,
  'date-time': dated(isTime),
  'iso-time': isLocalTime,
  'iso-date-time': dated(isLocalTime),
  duration: like(
    String.raw`P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|(?:\d+W)?)`,
    '',
  ),
  email: like(
    `(?=.{1,64}@.{1,253}$)ATOM(?:\\.ATOM)*@(?:${LABEL}\\.)+${LABEL}`.replaceAll(
      'ATOM',
      "[a-z0-9!#$$%&'*+/=?^_`{|}~-]+",
    ),
  ),
  hostname: like(String.raw`(?=.{1,253}\.?$)${LABEL}(?:\.${LABEL})*\.?`),
  ipv4: like(String.raw`(?:${OCTET}(?:\.(?!$)|$)){4}`),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && makes(() => new URL(`a://[${text}]`)),
  uri: uriLike(`${SCHEME}(?![?#]|$)${REST}`),
  'uri-reference': uriLike(`(?:${SCHEME})?${REST}`),
  'uri-template': like(
    String.raw`(?:[^\x00-\x20"'<>%\\^${'`'}{|}]|%[\da-f]{2}|\{[+#./;?&=,!@|]?VAR(?:,VAR)*\})*`.replaceAll(
      'VAR',
      String.raw`(?:\w|%[\da-f]{2})+(?::[1-9]\d{0,3}|\*)?`,
    ),
  ),
  url: like(
    String.raw`(?:https?|ftp):\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}(?::\d{2,5})?(?:\/\S*)?`,
  ),
  uuid: like('(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'),
  'json-pointer': like('(?:/(?:[^~/]|~[01])*)*'),
  'json-pointer-uri-fragment': like(String.raw`#(?:\/(?:[\w.!$&'()*+,;:=@-]|%[\da-f]{2}|~[01])*)*`),
  'relative-json-pointer': like(String.raw`(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)`),
  regex: (text) => makes(() => new RegExp(text, 'u')),
  byte: like('(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?'),
};

function makes(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}
