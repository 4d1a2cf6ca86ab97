/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random whole numbers from 0 to below another, the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  const next = randomNumbers(seed);
  return (below) => Math.floor(next() * below);
}
