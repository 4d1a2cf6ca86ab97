import type { McpClient } from '@inpage-mcp/client';
import type { ModelMessage } from 'ai';
import { askBuiltIn } from '../engines/built-in-model.js';
import { endpointFetch, languageModel } from '../engines/endpoint.js';
import { failureInWords } from '../engines/failures.js';
import { MAX_TURNS } from '../limits.js';
import type { ModelSettings } from '../model-settings.js';
import { modelTools } from '../model-tools.js';
import type { Transcript } from './transcript.js';
import { runTurn, type Tokens } from './turn.js';

/** Why a question was ended whose answer is not to be kept. */
const FORGOTTEN = 'The access has ended.';

const NONE: Tokens = { input: 0, output: 0 };

/** One chat with one model: what was said, and what of it is sent again. */
export class Conversation {
  readonly #client: McpClient;
  readonly #settings: ModelSettings;
  readonly #transcript: Transcript;
  /** Each question with what followed. */
  #turns: readonly (readonly ModelMessage[])[] = [];
  #total = NONE;
  #underWay: AbortController | undefined;

  constructor(client: McpClient, settings: ModelSettings, transcript: Transcript) {
    this.#client = client;
    this.#settings = settings;
    this.#transcript = transcript;
  }

  /** Of all questions. */
  get total(): Tokens {
    return this.#total;
  }

  get isBusy(): boolean {
    return this.#underWay !== undefined;
  }

  /** Asks, unless it is busy; resolves when the answer, or why there is none, stands in the transcript. */
  async ask(question: string): Promise<void> {
    if (this.#underWay) return;
    const underWay = new AbortController();
    this.#underWay = underWay;
    this.#transcript.add({ by: 'user', text: question });
    try {
      if (this.#settings.wire === 'built-in') await this.#askBuiltIn(question, underWay.signal);
      else await this.#askEndpoint(question, underWay.signal);
    } finally {
      this.#underWay = undefined;
    }
  }

  /** Ends the stream and the pending calls. What was said so far stays. */
  stop(): void {
    this.#underWay?.abort();
  }

  /** Stops, and sends nothing again of what was said and read. */
  forget(): void {
    this.#underWay?.abort(new DOMException(FORGOTTEN, 'AbortError'));
    this.#turns = [];
  }

  async #askBuiltIn(question: string, signal: AbortSignal): Promise<void> {
    const transcript = this.#transcript;
    try {
      await askBuiltIn({ question, client: this.#client, transcript, signal });
    } catch (error) {
      this.#fail(error);
    }
  }

  async #askEndpoint(question: string, signal: AbortSignal): Promise<void> {
    const transcript = this.#transcript;
    const asked: ModelMessage = { role: 'user', content: question };
    const from = transcript.lines.length;
    let tokens = NONE;
    try {
      const answer = await runTurn({
        model: languageModel(this.#settings, this.#fetch()),
        tools: await modelTools(this.#client, transcript, signal),
        messages: [...this.#turns.flat(), asked],
        transcript,
        signal,
        onTokens: (more) => (tokens = sum(tokens, more)),
      });
      this.#keep([asked, ...answer], signal);
    } catch (error) {
      this.#fail(error);
      // A call without its answer would be refused: only the words stay.
      const said = transcript.lines
        .slice(from)
        .flatMap((one) => (one.by === 'assistant' ? one.text : []));
      if (said.length > 0)
        this.#keep([asked, { role: 'assistant', content: said.join('\n') }], signal);
    }
    this.#count(tokens);
  }

  /** Not what was read before the user has ended the access. */
  #keep(turn: readonly ModelMessage[], { reason }: AbortSignal): void {
    if (reason instanceof DOMException && reason.message === FORGOTTEN) return;
    this.#turns = [...this.#turns, turn].slice(-MAX_TURNS);
  }

  #fetch(): typeof fetch {
    return endpointFetch(this.#settings.key !== '', (waitMs) => {
      const seconds = Math.ceil(waitMs / 1_000);
      const text = `The endpoint takes no more requests for the moment. Trying again in ${seconds} s …`;
      this.#transcript.add({ by: 'notice', text });
    });
  }

  #count(tokens: Tokens): void {
    if (tokens.input + tokens.output === 0) return;
    this.#total = sum(this.#total, tokens);
    this.#transcript.add({ by: 'cost', text: tokensInWords(tokens) });
  }

  #fail(error: unknown): void {
    this.#transcript.add({ by: 'failure', text: failureInWords(error, this.#settings) });
  }
}

const sum = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
});

/** For example “1,240 tokens in, 96 out”. */
export const tokensInWords = ({ input, output }: Tokens): string =>
  `${input.toLocaleString()} tokens in, ${output.toLocaleString()} out`;
