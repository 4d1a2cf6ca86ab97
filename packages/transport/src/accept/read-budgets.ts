import { WastedTime } from '../port/wasted-time.js';
import type { FrameSource } from './frame-gate.js';
import { outermostFrame } from '../handover/window-ancestry.js';

/** The time that reading the messages of each frame of this page has taken. */
export class ReadBudgets {
  readonly #times = new WeakMap<Window, WastedTime>();

  /** The time of a frame together with the frames inside it. */
  of({ source }: FrameSource): WastedTime {
    const frame = outermostFrame(source);
    const wasted = this.#times.get(frame) ?? new WastedTime();
    this.#times.set(frame, wasted);
    return wasted;
  }
}
