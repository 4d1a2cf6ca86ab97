import {
  END_OF_STREAM,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from '@inpage-mcp/transport';
import type { ClientRequests } from '../calls/client-requests.js';
import { measure } from '../fairness/message-budget.js';
import { isCancellation, isRequest } from '../wire/messages.js';
import type { Admission } from './admission.js';
import type { MessageBatches } from './message-batches.js';
import { budgetError } from './rejections.js';
import { UNANSWERED, INBOUND_STEPS, type Arrival, type InboundParts } from './inbound-steps.js';

/** The parts that an {@link Intake} uses, and where it dispatches messages. */
export interface IntakeParts {
  inbound: InboundParts;
  admission: Admission;
  batches: MessageBatches;
  /** The requests to the client, which a message may answer. */
  client: ClientRequests;
  /** Whether the connection has ended: then messages are ignored. */
  isEnded(): boolean;
  /** Whether the revision of the client has batches. */
  takesBatches(): boolean;
  onrequest(request: JsonRpcRequest, arrival: Arrival): void;
  oncancel(message: JsonRpcNotification): void;
  onend(): void;
  report(text: string): void;
}

/** Receives the messages of a port: each is checked, and dispatched by its kind. */
export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  receive(value: unknown): void {
    const { inbound, admission, isEnded, takesBatches, onend, report } = this.#parts;
    if (isEnded()) return;
    if (value === END_OF_STREAM) return onend();
    if (Array.isArray(value) && takesBatches()) return this.#receiveBatch(value);
    if (!admission.admit(value)) return;
    const arrival: Arrival = { value, bytes: 0 };
    for (const step of INBOUND_STEPS.message) {
      const error = step(arrival, inbound);
      if (error === UNANSWERED) return report('Dropped a malformed answer.');
      if (error) return admission.reject(value, error);
    }
    this.#take(arrival);
  }

  /**
   * Each message of a batch counts against the rate; all values in it that are not messages count
   * once.
   */
  #receiveBatch(values: readonly unknown[]): void {
    const { inbound, admission, batches, isEnded } = this.#parts;
    const { limits } = inbound.share;
    // Each message in the batch may have the full depth.
    const budget = { ...limits, messageDepth: limits.messageDepth + 1 };
    const { violation } = measure(values, budget);
    if (violation) {
      if (admission.admit(values)) admission.reject(values, budgetError(violation));
      return;
    }
    if (!batches.hasOnlyMessages(values)) admission.admit(values);
    if (isEnded()) return;
    const take = (value: JsonRpcMessage): void => {
      const isIn = !isEnded() && admission.admit(value);
      if (isIn) this.#take({ value, bytes: measure(value, limits).bytes });
    };
    batches.receive(values, take, (id) => inbound.open.has(id));
  }

  #take(arrival: Arrival): void {
    const { inbound, admission, client, onrequest, oncancel, report } = this.#parts;
    const message = arrival.value as JsonRpcMessage;
    if (isRequest(message)) {
      for (const step of INBOUND_STEPS.request) {
        const error = step(arrival, inbound);
        if (error) return admission.reject(message, error);
      }
      onrequest(message, arrival);
    } else if (isCancellation(message)) oncancel(message);
    else if (!('method' in message) && !client.settle(message)) {
      report('Dropped an answer without a request.');
    }
  }
}
