/** Types of text and code, each with its extensions. If a type ends in a hyphen, the extension completes it. */
const TYPES =
  'text/markdown md markdown,text/csv csv,text/tab-separated-values tsv,application/json json,' +
  'application/x-ndjson jsonl ndjson,application/yaml yaml yml,application/toml toml,' +
  'application/sql sql,text/plain ini log,text/vtt vtt,text/x-subrip srt,' +
  'text/javascript js mjs cjs,text/jsx jsx,text/typescript ts tsx mts cts,text/x-python py,' +
  'text/x-rust rs,text/x-kotlin kt kts,text/x-ruby rb,text/x-c h,text/x-c++ cc cpp hpp,' +
  'text/x-csharp cs,' +
  'text/x- vue svelte go java swift php c lua scala dart r pl scss less tex sh bash ps1 diff patch dockerfile makefile';

/**
 * The media type of text or code, from its name. Browsers ask the operating system, which may treat `.ts` as
 * a video or a translation and `.csv` as a spreadsheet, and knows few programming languages.
 */
export function typeOfTextName(path: string): string | undefined {
  // A name without a dot does not show a type, unless it is `Makefile` or similar.
  const name = /(?<=\.)\w+$|\w+file$/.exec(path.slice(-64).toLowerCase())?.[0];
  const type = new RegExp(`([^ ,]+)(?: \\w+)* ${name}\\b`).exec(TYPES)?.[1];
  return type?.endsWith('-') ? type + name : type;
}

/**
 * Whether bytes are an MPEG transport stream: packets of 188 bytes that begin with 0x47. Cameras put
 * four bytes before each.
 */
export function isTransportStream(bytes: Uint8Array): boolean {
  return [0, 4].some((lead) =>
    [0, 1, 2].every((packet) => bytes[lead + packet * (188 + lead)] === 0x47),
  );
}
