// A stream between a page and its worker. Not every browser transfers streams (WebKit does not).

type Bytes = Uint8Array<ArrayBuffer>;

/** What is sent for each chunk that the other side asks for. */
type Answer = { chunk: Bytes } | { isDone: true } | { error: unknown };

/**
 * Sends a stream through a port, chunk by chunk, as the other side takes them.
 *
 * @returns What cancels the stream, for when the other side is gone.
 */
export function sendStream(stream: ReadableStream<Bytes>, port: MessagePort): () => Promise<void> {
  const reader = stream.getReader();
  const answer = async (): Promise<Answer> => {
    try {
      const { done, value } = await reader.read();
      return done ? { isDone: true } : { chunk: value };
    } catch (error) {
      return { error };
    }
  };
  const cancel = async (): Promise<void> => await reader.cancel().catch(() => undefined);
  port.onmessage = async ({ data }: MessageEvent<'next' | 'cancel'>): Promise<void> => {
    if (data === 'next') port.postMessage(await answer());
    else await cancel();
  };
  return cancel;
}

/** The stream that the other side sends. */
export function receiveStream(port: MessagePort): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>({
    pull: async (controller) => {
      const answer = await new Promise<Answer>((resolve) => {
        port.onmessage = ({ data }: MessageEvent<Answer>): void => resolve(data);
        port.postMessage('next');
      });
      if ('chunk' in answer) controller.enqueue(answer.chunk);
      else if ('error' in answer) controller.error(answer.error);
      else controller.close();
    },
    cancel: () => port.postMessage('cancel'),
  });
}
