import { sharesCache } from './names.js';

/** The maximum size of a share, in bytes, because any page on the web can send one. */
const MAX_SHARE_BYTES = 64 * 2 ** 20;

/** The maximum number of shares that wait for an answer; beyond it, the oldest is deleted. */
const MAX_WAITING = 5;

/**
 * Stores a share unread in a cache for the page, and opens the page. Nothing is written to the user's notes,
 * because the page asks first.
 */
export async function takeShare(request: Request, scope: string): Promise<Response> {
  const cache = await caches.open(sharesCache(scope));
  const body = await bytesWithin(request, MAX_SHARE_BYTES);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  // A share that is too large is stored as an empty body, which the page cannot read and reports.
  await cache.put(new URL(`share/${crypto.randomUUID()}`, scope), new Response(body, { headers }));
  const waiting = await cache.keys();
  await Promise.all(waiting.slice(0, -MAX_WAITING).map((key) => cache.delete(key)));
  return Response.redirect(scope, 303);
}

/** The bytes of a body; `undefined` if they exceed the maximum. */
async function bytesWithin(request: Request, maxBytes: number): Promise<Blob | undefined> {
  // Firefox does not provide its stream.
  if (!request.body) {
    const blob = await request.blob();
    return blob.size <= maxBytes ? blob : undefined;
  }
  const reader = request.body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    // The body is always read to its end, because a cancelled request gets no answer.
    if (size <= maxBytes) chunks.push(read.value);
    else chunks.length = 0;
  }
  return size <= maxBytes ? new Blob(chunks) : undefined;
}
