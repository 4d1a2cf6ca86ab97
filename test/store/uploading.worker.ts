import { openStore } from '@inpage-mcp/store';
import { markedBlob, PIECE } from './marked-blob.js';

/** Writes a large file into the database of the name it is given; says when half of it is stored. */
self.onmessage = async ({ data: name }: MessageEvent<string>) => {
  const store = await openStore(name, { pieceBytes: PIECE });
  const piece = markedBlob(PIECE);
  const blob = new Blob(Array.from({ length: 16 }, () => piece));
  await store.files.write('a', blob, {
    onProgress: (done, total) => {
      if (done === total / 2) self.postMessage('half');
    },
  });
  self.postMessage('written');
};
