import type { EventStore } from '@modelcontextprotocol/server';

type SdkMessage = Parameters<EventStore['storeEvent']>[1];

/**
 * The maximum number of events that a session keeps for clients that resume a stream, and their maximum size.
 */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

interface LoggedEvent {
  number: number;
  streamId: string;
  message: SdkMessage;
  bytes: number;
}

/** The last events of the streams of one session: a client that resumes a stream gets those it has missed. */
export class EventLog implements EventStore {
  readonly #events: LoggedEvent[] = [];
  #lastNumber = 0;
  #bytes = 0;

  async storeEvent(streamId: string, message: SdkMessage): Promise<string> {
    this.#lastNumber += 1;
    const bytes = JSON.stringify(message).length;
    this.#events.push({ number: this.#lastNumber, streamId, message, bytes });
    this.#bytes += bytes;
    while (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES)
      this.#bytes -= this.#events.shift()?.bytes ?? this.#bytes;
    return `${streamId}~${this.#lastNumber}`;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return parseEventId(eventId)?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: SdkMessage) => Promise<void> },
  ): Promise<string> {
    const last = parseEventId(lastEventId);
    if (!last) throw new Error('This is not the id of an event.');
    const missed = this.#events.filter(
      ({ streamId, number }) => streamId === last.streamId && number > last.number,
    );
    for (const { number, message } of missed)
      // The first event of a stream has only an id, and no message.
      if ('jsonrpc' in message) await send(`${last.streamId}~${number}`, message);
    return last.streamId;
  }
}

function parseEventId(eventId: string): { streamId: string; number: number } | undefined {
  const [, streamId, number] = /^(.+)~(\d+)$/.exec(eventId) ?? [];
  return streamId === undefined ? undefined : { streamId, number: Number(number) };
}
