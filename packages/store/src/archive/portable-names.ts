import { utf8Length } from '../schema/limits.js';
import { crc32 } from './crc32.js';

/** Characters that Windows does not allow in names, or that no file manager shows. */
const FORBIDDEN = /[\0-\x1f\x7f"*:<>?\\|]/g;
/** Names of devices of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;
/** Windows removes these at the end of a name. */
const END = /[. ]$/;

/**
 * The maximum length of a name, in bytes of UTF-8. Common file systems allow 255, and a mark needs some of
 * them.
 */
const MAX_NAME_BYTES = 240;
/** The number of characters of a longer name that are kept at its start, and at its end. */
const START_LENGTH = 40;
const END_LENGTH = 16;

/**
 * Names for files in an archive, so that it can be unpacked everywhere: Windows does not allow each
 * name, and on many disks two names are the same if they differ only in case or Unicode form. A path
 * that can be unpacked everywhere stays as it is, unless another path has its name.
 */
export class PortableNames {
  /**
   * The entries of the archive so far, by name in one form: the name of a folder, or `undefined` for a file.
   */
  readonly #entries = new Map<string, string | undefined>();

  /** The name for the next file. */
  nameOf(path: string): string {
    const parts = path.split('/');
    return parts.reduce(
      (folder, part, index) => this.#take(folder, part, index < parts.length - 1),
      '',
    );
  }

  #take(folder: string, part: string, isFolder: boolean): string {
    const wanted = portable(part);
    for (let attempt = 0; ; attempt++) {
      const name = folder + (attempt === 0 ? wanted : marked(wanted, part, attempt));
      const form = name.normalize('NFC').toUpperCase();
      const isFree = !this.#entries.has(form);
      if (isFree) this.#entries.set(form, isFolder ? `${name}/` : undefined);
      const taken = this.#entries.get(form);
      if (isFolder && taken !== undefined) return taken;
      if (isFree) return name;
    }
  }
}

function portable(part: string): string {
  const name = part.replaceAll(FORBIDDEN, '_').replace(DEVICE, '$&_').replace(END, '_');
  if (utf8Length(name) <= MAX_NAME_BYTES) return name;
  const characters = Array.from(name);
  const [start, end] = [characters.slice(0, START_LENGTH), characters.slice(-END_LENGTH)];
  return marked(`${start.join('')}…${end.join('')}`, part, 1);
}

/** Another name, which depends only on the file, so that each export has the same name. */
function marked(name: string, part: string, attempt: number): string {
  const mark = crc32(new TextEncoder().encode(`${part}\0${attempt}`)).toString(16);
  const dot = name.lastIndexOf('.');
  const at = dot > 0 ? dot : name.length;
  return `${name.slice(0, at)}~${mark}${name.slice(at)}`;
}
