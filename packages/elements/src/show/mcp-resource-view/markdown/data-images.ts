/** An image inside the text itself, after the beginning of an address in Markdown or of a tag. */
const DATA_IMAGE =
  /(?<=\](?:\(|:)\s{0,3}<?|\ssrc=["']?)data:image\/[\w.+-]{1,30};base64,[\w+/=%-]+/g;

/** The address of an image at a place of a text. */
const AT_PLACE = /data:image\/[\w.+-]{1,30};base64,[\w+/=%-]+/y;

/**
 * A part of a text in which each image is replaced by `data:` and its place in the text, because a reader of
 * Markdown must not process megabytes of base64.
 *
 * @param start The place of the part in the text.
 */
export function withoutData(part: string, start: number): string {
  if (!part.includes('data:image')) return part;
  return part.replaceAll(DATA_IMAGE, (_, at: number) => `data:${start + at}`);
}

/** The image that an address of {@link withoutData} refers to. */
export function dataAt(text: string, address: string): string | undefined {
  if (!/^data:\d+$/.test(address)) return undefined;
  AT_PLACE.lastIndex = Number(address.slice(5));
  return AT_PLACE.exec(text)?.[0];
}

/** The end of a part of a text, or, if the part would end in an image, of the line with that image. */
export function endAfterData(text: string, start: number, end: number): number {
  const at = text.lastIndexOf('data:image/', end);
  if (at < start) return end;
  AT_PLACE.lastIndex = at;
  const dataEnd = at + (AT_PLACE.exec(text)?.[0].length ?? 0);
  if (dataEnd < end) return end;
  const lineEnd = text.indexOf('\n', dataEnd) + 1 || text.length;
  return Math.min(lineEnd, dataEnd + MAX_REST);
}

/** The maximum length of the rest of the line after an image, in UTF-16 code units. */
const MAX_REST = 1_000;
