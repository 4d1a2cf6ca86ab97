import { callSafely } from './call-safely.js';

/** Receives the progress of a long operation; both numbers only grow. */
export type ProgressListener = (done: number, total: number) => void;

/** A listener whose exceptions are reported and do not stop the operation. Default: does nothing. */
export function safeListener(listener: ProgressListener = () => undefined): ProgressListener {
  return (done, total) => callSafely(() => listener(done, total));
}
