import {
  END_OF_STREAM,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from '@inpage-mcp/transport';
import type { ClientRequests } from '../calls/client-requests.js';
import { weigh } from '../fairness/message-budget.js';
import { isCancellation, isRequest } from '../wire/messages.js';
import type { Admission } from './admission.js';
import type { MessageBatches } from './message-batches.js';
import { pastBudget } from './refusals.js';
import { UNANSWERED, WAY_IN, type Arrival, type WayInParts } from './way-in.js';

/** What an {@link Intake} works with, and where it hands on what has come in. */
export interface IntakeParts {
  wayIn: WayInParts;
  admission: Admission;
  batches: MessageBatches;
  /** The questions to the client, some of which a message may answer. */
  client: ClientRequests;
  /** Whether the connection has ended: nothing more is taken then. */
  isEnded(): boolean;
  /** Whether the revision of the client has batches. */
  takesBatches(): boolean;
  onrequest(request: JsonRpcRequest, arrival: Arrival): void;
  oncancel(message: JsonRpcNotification): void;
  onend(): void;
  report(text: string): void;
}

/** Takes whatever arrives at a port: each message is checked, and handed on by what it is. */
export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  receive(value: unknown): void {
    const { wayIn, admission, isEnded, takesBatches, onend, report } = this.#parts;
    if (isEnded()) return;
    if (value === END_OF_STREAM) return onend();
    if (Array.isArray(value) && takesBatches()) return this.#receiveBatch(value);
    if (!admission.isInRate(value)) return;
    const arrival: Arrival = { value, bytes: 0 };
    for (const step of WAY_IN.message) {
      const error = step(arrival, wayIn);
      if (error === UNANSWERED) return report('Dropped a broken answer.');
      if (error) return admission.refuse(value, error);
    }
    this.#take(arrival);
  }

  /** Its messages count each by itself against the rate, and whatever else is in it counts once. */
  #receiveBatch(values: readonly unknown[]): void {
    const { wayIn, admission, batches, isEnded } = this.#parts;
    const { limits } = wayIn.share;
    // Each message of it may be as deep as any.
    const budget = { ...limits, messageDepth: limits.messageDepth + 1 };
    const { finding } = weigh(values, budget);
    if (finding) {
      if (admission.isInRate(values)) admission.refuse(values, pastBudget(finding));
      return;
    }
    if (!batches.isClean(values)) admission.isInRate(values);
    if (isEnded()) return;
    const take = (value: JsonRpcMessage): void => {
      const isIn = !isEnded() && admission.isInRate(value);
      if (isIn) this.#take({ value, bytes: weigh(value, limits).bytes });
    };
    batches.receive(values, take, (id) => wayIn.open.has(id));
  }

  #take(arrival: Arrival): void {
    const { wayIn, admission, client, onrequest, oncancel, report } = this.#parts;
    const message = arrival.value as JsonRpcMessage;
    if (isRequest(message)) {
      for (const step of WAY_IN.request) {
        const error = step(arrival, wayIn);
        if (error) return admission.refuse(message, error);
      }
      onrequest(message, arrival);
    } else if (isCancellation(message)) oncancel(message);
    else if (!('method' in message) && !client.answered(message)) {
      report('Dropped an answer to nothing that was asked.');
    }
  }
}
