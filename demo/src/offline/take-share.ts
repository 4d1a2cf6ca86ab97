import { sharesCache } from './names.js';

/** The most that one share may be, in bytes: any page on the web can send one. */
const MAX_SHARE_BYTES = 64 * 2 ** 20;

/** The most shares that wait for an answer; the oldest gives way. */
const MAX_WAITING = 5;

/**
 * Puts what was shared where the page finds it, as it came, and opens the page. Nothing of it is read
 * here, and nothing written to the user's notes: the page asks first.
 */
export async function takeShare(request: Request, scope: string): Promise<Response> {
  const cache = await caches.open(sharesCache(scope));
  const body = await bytesWithin(request, MAX_SHARE_BYTES);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  // What is too large is kept as nothing, which the page cannot read and says so.
  await cache.put(new URL(`share/${crypto.randomUUID()}`, scope), new Response(body, { headers }));
  const waiting = await cache.keys();
  await Promise.all(waiting.slice(0, -MAX_WAITING).map((key) => cache.delete(key)));
  return Response.redirect(scope, 303);
}

/** The bytes of a body, unless they are more. */
async function bytesWithin(request: Request, maxBytes: number): Promise<Blob | undefined> {
  // Firefox has no stream of it.
  if (!request.body) {
    const blob = await request.blob();
    return blob.size <= maxBytes ? blob : undefined;
  }
  const reader = request.body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    // Read to its end all the same: a request that is cancelled has no answer.
    if (size <= maxBytes) chunks.push(read.value);
    else chunks.length = 0;
  }
  return size <= maxBytes ? new Blob(chunks) : undefined;
}
