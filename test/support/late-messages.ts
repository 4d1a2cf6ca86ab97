/** Whether a message of a window is deserialised when it is first looked at, rather than before. */
export async function areMessagesReadLate(): Promise<boolean> {
  const keys = Array.from({ length: 200_000 }, (_, key) => [`key ${key}`, key]);
  return await new Promise((resolve) => {
    window.addEventListener(
      'message',
      (event) => {
        const start = performance.now();
        void event.data;
        resolve(performance.now() - start > 4);
      },
      { once: true },
    );
    window.postMessage(Object.fromEntries(keys), location.origin);
  });
}
