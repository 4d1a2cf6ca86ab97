import type { AssistantSession } from '../../letting-in/assistant-session.js';
import { recall, remember } from '../../session/remembered.js';

/** What a visitor does to see what this page is. */
export const STEPS = ['write', 'read', 'tab', 'assistant'] as const;
export type Step = (typeof STEPS)[number];

const DONE_KEY = 'inpage-mcp-demo-steps-done';
const CLOSED_KEY = 'inpage-mcp-demo-steps-closed';

/** Which of the steps have really happened, in any tab; this browser remembers that. Fires `change`. */
export class Coach extends EventTarget {
  #done = doneBefore();
  #isClosed = recall(CLOSED_KEY) !== null;

  constructor() {
    super();
    addEventListener('storage', ({ key }) => {
      if (key !== DONE_KEY) return;
      this.#done = new Set([...this.#done, ...doneBefore()]);
      this.dispatchEvent(new Event('change'));
    });
  }

  get done(): ReadonlySet<Step> {
    return this.#done;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes note that a step has happened. */
  tick(step: Step): void {
    if (this.#done.has(step)) return;
    this.#done = new Set([...doneBefore(), ...this.#done, step]);
    remember(DONE_KEY, [...this.#done].join(' '));
    this.dispatchEvent(new Event('change'));
  }

  /** The last step has happened once the user has let the assistant in. */
  follow(assistant: AssistantSession): void {
    assistant.addEventListener('change', () => {
      if (assistant.state === 'admitted') this.tick('assistant');
    });
  }

  close(): void {
    this.#isClosed = true;
    remember(CLOSED_KEY, 'yes');
    this.dispatchEvent(new Event('change'));
  }
}

function doneBefore(): Set<Step> {
  const words = (recall(DONE_KEY) ?? '').split(' ');
  return new Set(STEPS.filter((step) => words.includes(step)));
}
