import { callSafely } from './call-safely.js';

/** Hears how far something long has come; both numbers only grow. */
export type ProgressListener = (done: number, total: number) => void;

/** The same listener, which can no longer end what it is told of by throwing. Default: nobody. */
export function safeListener(listener: ProgressListener = () => undefined): ProgressListener {
  return (done, total) => callSafely(() => listener(done, total));
}
