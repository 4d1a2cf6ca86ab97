/** Answers each number with as many random bytes, handed over without a copy. */
let random = new Uint8Array();

addEventListener('message', ({ data: size }: MessageEvent<number>) => {
  if (random.length !== size) random = randomBytes(size);
  const { buffer } = random.slice();
  postMessage(buffer, { transfer: [buffer] });
});

/** In pieces: the platform gives at most 65,536 at once. */
function randomBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let start = 0; start < size; start += 65_536) {
    crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  }
  return bytes;
}
