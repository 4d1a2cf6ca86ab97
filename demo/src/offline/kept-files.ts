import { filesPrefix } from './names.js';

/** A file of the build; one without a revision has its hash in its name. */
export interface BuiltFile {
  url: string;
  revision: string | null;
}

/**
 * The files of this version, and of earlier versions whose pages are still open. Such a page loads parts of
 * itself later, which no server has any more.
 */
export class KeptFiles {
  readonly #scope: string;
  readonly #files: readonly BuiltFile[];
  readonly #name: Promise<string>;

  constructor(scope: string, files: readonly BuiltFile[]) {
    this.#scope = scope;
    this.#files = files;
    this.#name = digest(JSON.stringify(files)).then((version) => filesPrefix(scope) + version);
  }

  /** Fetches all files; rejects if one of them cannot be fetched. */
  async keep(): Promise<void> {
    const cache = await caches.open(await this.#name);
    const keepOne = async ({ url, revision }: BuiltFile): Promise<void> => {
      const address = new URL(url, this.#scope).href;
      const before = revision === null ? await this.find(address) : undefined;
      await cache.put(address, before ?? (await fetchFile(address, revision)));
    };
    await Promise.all(this.#files.map(keepOne));
  }

  /** The file at an address; if several versions have it, that of this version. */
  async find(address: string): Promise<Response | undefined> {
    const own = await this.#name;
    for (const name of [own, ...(await this.#otherNames())]) {
      // A cache that another version has just deleted is not made again.
      const found = await caches.match(address, { cacheName: name });
      if (found) return found;
    }
    return undefined;
  }

  /** Whether a file belongs to this version. */
  async has(address: string): Promise<boolean> {
    return (await caches.match(address, { cacheName: await this.#name })) !== undefined;
  }

  /**
   * Deletes the files of other versions.
   *
   * @param isNewest Called once the existing versions are known.
   */
  async forgetOtherVersions(isNewest: () => boolean): Promise<void> {
    const others = await this.#otherNames();
    if (!isNewest()) return;
    await Promise.all(others.map((name) => caches.delete(name)));
  }

  /** The names of the caches of other versions, the newest first. */
  async #otherNames(): Promise<string[]> {
    const own = await this.#name;
    const prefix = filesPrefix(this.#scope);
    const names = await caches.keys();
    return names.filter((name) => name.startsWith(prefix) && name !== own).toReversed();
  }
}

async function fetchFile(address: string, revision: string | null): Promise<Response> {
  const response = await fetch(address, { cache: revision === null ? 'default' : 'reload' });
  if (!response.ok) throw new Error(`${address} cannot be kept: ${response.status}.`);
  if (!response.redirected) return response;
  // Hosts redirect `index.html` to its folder, and a navigation accepts no answer that was redirected.
  const { status, headers } = response;
  return new Response(await response.blob(), { status, headers });
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const bytes = Array.from(new Uint8Array(hash).subarray(0, 8));
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
