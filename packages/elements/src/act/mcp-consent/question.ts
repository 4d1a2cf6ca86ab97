/** A question to the user. All its texts may come from somebody who wants to deceive. */
export interface ConsentQuestion {
  /** The question, in the exact words. */
  readonly message: string;
  /**
   * The origin of the asker, as the browser reports it: `null` for a sandboxed frame. Any other text is
   * shown as a name.
   */
  readonly origin?: string | undefined;
  /** The name that the asker gives itself; nothing ensures that it is true. */
  readonly requester?: string | undefined;
  /** The name of the tool that is to run. */
  readonly tool?: string | undefined;
  /** The values that the tool is to run with; shown as JSON. */
  readonly arguments?: unknown;
  /**
   * The notes that the tool writes, such as `runtime`. With them, the tool must be one of
   * `@inpage-mcp/server`, and the question shows the title of the note and the lines that come and go
   * in the place of `message` and `arguments`. Default: the message and the values are shown.
   */
  readonly documents?: ConsentDocuments | undefined;
  /** The fields to fill in, as a JSON Schema of an object. Without properties, the answer is yes or no. */
  readonly requestedSchema?: unknown;
  /**
   * Texts of the page itself, in the place of those of the element: the title, and the buttons for yes
   * and no. Nothing that an asker has written belongs here. Default: texts that fit any question.
   */
  readonly texts?: ConsentTexts | undefined;
  /**
   * Whether the user can also answer for all later questions: `always` and `never`. That needs an
   * `origin`, which tells the asker from others, and nothing to fill in. Default: whether the element
   * has `remember`, and the question a `tool`.
   */
  readonly lasting?: boolean | undefined;
}

/** Notes before a tool changes them; `Runtime` of `@inpage-mcp/runtime` has them. */
export interface ConsentDocuments {
  /** The place of notes, such as `runtime.notes`. */
  readonly notes: {
    /** Reads a note as it is stored now. Rejects if that is not possible. */
    get(id: string): Promise<NoteBefore>;
  };
}

/** A note as it is before the change that the user is asked about. */
export interface NoteBefore {
  /** May be empty. */
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** When it was last changed, in milliseconds since 1970. Default: the question does not say it. */
  readonly updatedAt?: number | undefined;
  /** Grows with each change of the note. */
  readonly revision: number;
  /** Its tags; absent without any. */
  readonly tags?: readonly string[] | undefined;
  /** Whom it is meant for; absent where it is not set. */
  readonly audience?: readonly string[] | undefined;
  /** How much it matters, from 0 to 1; absent where it is not set. */
  readonly priority?: number | undefined;
}

/** The words of a page for its own question, and for the answers to it. */
export interface ConsentTexts {
  /** The heading of the dialog. */
  readonly title?: string | undefined;
  /** The button whose answer is `once`. */
  readonly yes?: string | undefined;
  /** The button whose answer is `decline`. */
  readonly no?: string | undefined;
}

/**
 * The decision of the user. `once` and `always` are a yes, `decline` and `never` a no; `cancel` is no
 * answer: the user closed the dialog, the question was withdrawn, or the element is not in a page.
 */
export type ConsentDecision = 'once' | 'always' | 'decline' | 'never' | 'cancel';

/** The user's answer. */
export interface ConsentAnswer {
  /** See {@link ConsentDecision}. */
  readonly decision: ConsentDecision;
  /** With a yes: the values that the user has filled in, by name. */
  readonly content?: { readonly [name: string]: unknown } | undefined;
}

/** Whether an answer is a yes. */
export function isYes({ decision }: ConsentAnswer): boolean {
  return decision === 'once' || decision === 'always';
}

/** The place of the answers `always` and `never`: a `Map`, or anything that stores them longer. */
export interface ConsentStore {
  /** The answer that is kept for a key, if there is one. */
  get(key: string): LastingDecision | undefined | Promise<LastingDecision | undefined>;
  /** Keeps an answer. Its result is ignored. */
  set(key: string, decision: LastingDecision): unknown;
}

/** A decision for all later questions. */
export type LastingDecision = 'always' | 'never';

/** The key of a lasting answer: the asker and the tool. */
export function keyOf({ origin, tool }: ConsentQuestion): string {
  return JSON.stringify([originOf(origin), tool]);
}

/**
 * An origin as the browser compares it: in ASCII, so that no letter looks like another one; `undefined`
 * for a text that is not an origin, and for one that many share, such as that of every sandboxed frame.
 */
export function originOf(origin: unknown): string | undefined {
  try {
    const { origin: exact } = new URL(origin as string);
    // Chromium has an origin for files, which all of them share.
    return exact === 'null' || exact === 'file://' ? undefined : exact;
  } catch {
    return undefined;
  }
}

/** Whether the user has something to fill in. */
export function hasFields({ requestedSchema }: ConsentQuestion): boolean {
  const { properties } = (requestedSchema ?? {}) as { properties?: unknown };
  return (
    typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0
  );
}

/** The `confirm` of `startRuntime` in `@inpage-mcp/runtime`: whether a tool may run. */
export type Confirm = (
  request: { tool: string; message: string; arguments?: unknown; origin?: string },
  context: { signal: AbortSignal },
) => Promise<boolean>;

/** The values of a form as MCP has them (Client › Elicitation). */
interface ElicitContent {
  [name: string]: string | number | boolean | string[];
}

/** The `elicit` of `connectClient` in `@inpage-mcp/client`: a question of the server. */
export type Elicit = (
  request: { message: string; requestedSchema: object },
  context: { signal: AbortSignal },
) => Promise<{ action: 'accept' | 'decline' | 'cancel'; content?: ElicitContent }>;

/** The server that asks. */
export interface ElicitAsker {
  /** Its origin; absent for a server in the page itself. */
  readonly origin?: string | undefined;
  /** Its name, such as `client.serverInfo.title`. */
  readonly requester?: string | undefined;
}

/** The values that a form of MCP may contain: no objects, and of lists only those of texts. */
export function elicitContent(content: object = {}): ElicitContent {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => isContent(value)));
}

function isContent(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((one) => typeof one === 'string')
    : ['string', 'number', 'boolean'].includes(typeof value);
}

/** The user has answered a question of an `<mcp-consent>`, or closed it. */
export class McpConsentAnswerEvent extends Event {
  static readonly eventName = 'mcp-consent-answer';
  /** The question, as the element showed it. */
  readonly question: ConsentQuestion;
  /** The decision of the user, with the values that the user filled in. */
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
