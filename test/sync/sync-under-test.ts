import type { FilePayload, NotePayload } from '../../packages/sync/src/keys/payload.js';

/** The bytes of hexadecimal digits. */
export function bytesOfHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A note with some fields. */
export function noteOf(fields: Partial<NotePayload>): NotePayload {
  return {
    v: 1,
    kind: 'note',
    key: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    counter: 1,
    title: '',
    text: '',
    tags: [],
    createdAt: 1_000,
    updatedAt: 2_000,
    ...fields,
  };
}

/** A file with some fields. */
export function fileOf(fields: Partial<FilePayload>): FilePayload {
  return {
    v: 1,
    kind: 'file',
    key: 'photos/cat.png',
    counter: 1,
    mediaType: 'image/png',
    size: 3,
    digest: '0123456789abcdef'.repeat(4),
    pieces: ['A'.repeat(22)],
    createdAt: 1_000,
    updatedAt: 2_000,
    ...fields,
  };
}
