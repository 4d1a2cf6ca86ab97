import type { ConsentAnswer, ConsentQuestion } from './question.js';

/** The user has answered a question of an `<mcp-consent>`, or closed it. */
export class McpConsentAnswerEvent extends Event {
  static readonly eventName = 'mcp-consent-answer';
  /** The question, as the element showed it. */
  readonly question: ConsentQuestion;
  /** What the user decided, with what the user filled in. */
  readonly answer: ConsentAnswer;

  constructor(question: ConsentQuestion, answer: ConsentAnswer) {
    super(McpConsentAnswerEvent.eventName, { bubbles: true, composed: true });
    this.question = question;
    this.answer = answer;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-consent-answer': McpConsentAnswerEvent;
  }
}
