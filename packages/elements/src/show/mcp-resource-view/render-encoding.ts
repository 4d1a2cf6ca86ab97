import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { languageTag } from '../../base/text/language.js';

/** The encodings to choose from, with the scripts that are written in them: codes of ISO 15924. */
const ENCODINGS: readonly [script: string, names: string][] = [
  ['', 'utf-8 utf-16le utf-16be'],
  ['Latn', 'windows-1252 windows-1250 iso-8859-2 windows-1254 windows-1257 windows-1258 macintosh'],
  ['Cyrl', 'windows-1251 koi8-r koi8-u ibm866 iso-8859-5 x-mac-cyrillic'],
  ['Grek', 'windows-1253 iso-8859-7'],
  ['Hebr', 'windows-1255'],
  ['Arab', 'windows-1256'],
  ['Thai', 'windows-874'],
  ['Jpan', 'shift_jis euc-jp iso-2022-jp'],
  ['Hans', 'gb18030 gbk'],
  ['Hant', 'big5'],
  ['Kore', 'euc-kr'],
];

/** Renders the message that an encoding is a guess, with other encodings to choose. */
export function renderEncoding(current: string, onchoose: (name: string) => void): TemplateResult {
  const label = msg('This text does not say its encoding. It is read as:', {
    id: 'mcp.resource-view.encoding',
  });
  const choose = ({ target }: Event): void => onchoose((target as HTMLSelectElement).value);
  const known = ENCODINGS.some(([, names]) => names.split(' ').includes(current));
  const groups = known ? ENCODINGS : [['', current] as const, ...ENCODINGS];
  return html`<p class="remark" part="encoding">
    <label>
      ${label}
      <select .value=${current} @change=${choose}>
        ${groups.map(([script, names]) =>
          names
            .split(' ')
            .map(
              (name) =>
                html`<option value=${name} ?selected=${name === current}>
                  ${[nameOf(script), name].filter(Boolean).join(' – ')}
                </option>`,
            ),
        )}
      </select>
    </label>
  </p>`;
}

/** The name of a script in the language of the page. */
function nameOf(script: string): string | undefined {
  return script && new Intl.DisplayNames(languageTag(), { type: 'script' }).of(script);
}
