/** A question to the user. All its texts may come from an asker who wants to deceive the user. */
export interface ConsentQuestion {
  /** The question, with its exact text. */
  readonly message: string;
  /**
   * The origin of the asker, as the browser reports it: `null` for a sandboxed frame. Any other text is
   * shown as a name.
   */
  readonly origin?: string | undefined;
  /** The name by which the asker calls itself; nothing ensures that it is true. */
  readonly requester?: string | undefined;
  /** The name of the tool that would run. */
  readonly tool?: string | undefined;
  /** The values with which the tool would run; shown as JSON. */
  readonly arguments?: unknown;
  /**
   * The notes that the tool writes, such as `runtime`. With them, the tool must be one of
   * `@inpage-mcp/server`, and the question shows the title of the note and its added and removed lines
   * instead of `message` and `arguments`. Default: the message and the values are shown.
   */
  readonly documents?: ConsentDocuments | undefined;
  /**
   * The fields that the user fills in, as a JSON Schema of an object. Without properties, the answer is yes
   * or no.
   */
  readonly requestedSchema?: unknown;
  /**
   * Texts of the page itself, instead of those of the element: the title, and the buttons for yes and no.
   * They must not contain any text of an asker. Default: texts that fit any question.
   */
  readonly texts?: ConsentTexts | undefined;
  /**
   * Whether the user can also answer for all later questions: `always` and `never`. This requires an
   * `origin`, which distinguishes the asker from others, and no fields to fill in. Default: true if the
   * element has `remember`, and the question a `tool`.
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

/** A note before the change that the user is asked about. */
export interface NoteBefore {
  /** The title; may be empty. */
  readonly title: string;
  /** The text, in Markdown. */
  readonly text: string;
  /** The time of the last change, in milliseconds since 1970. Default: the question does not show it. */
  readonly updatedAt?: number | undefined;
  /** The revision, which grows with each change of the note. */
  readonly revision: number;
  /** The tags; absent without any. */
  readonly tags?: readonly string[] | undefined;
  /** The intended readers; absent if not set. */
  readonly audience?: readonly string[] | undefined;
  /** The importance, from 0 to 1; absent if not set. */
  readonly priority?: number | undefined;
}

/** The texts of a page for its own question, and for the answers to it. */
export interface ConsentTexts {
  /** The heading of the dialog. */
  readonly title?: string | undefined;
  /** The button whose answer is `once`. */
  readonly yes?: string | undefined;
  /** The button whose answer is `decline`. */
  readonly no?: string | undefined;
}

/**
 * The decision of the user. `once` and `always` mean yes, `decline` and `never` mean no. `cancel` means that
 * the user did not answer: the user closed the dialog, the question was withdrawn, or the element is not in a
 * page.
 */
export type ConsentDecision = 'once' | 'always' | 'decline' | 'never' | 'cancel';

/** The user's answer. */
export interface ConsentAnswer {
  /** The decision: see {@link ConsentDecision}. */
  readonly decision: ConsentDecision;
  /** The values that the user has filled in, by name; only with a yes. */
  readonly content?: { readonly [name: string]: unknown } | undefined;
}

/** Whether an answer is a yes. */
export function isYes({ decision }: ConsentAnswer): boolean {
  return decision === 'once' || decision === 'always';
}

/** The store of the answers `always` and `never`: a `Map`, or any object that stores them longer. */
export interface ConsentStore {
  /** The answer that is kept for a key, if it exists. */
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
 * An origin in the form in which the browser compares it. It is in ASCII, so that no letter looks like
 * another one. `undefined` for a text that is not an origin, and for an origin that many share, such as that
 * of every sandboxed frame.
 */
export function originOf(origin: unknown): string | undefined {
  try {
    const { origin: exact } = new URL(origin as string);
    // Chromium has an origin for files, and all files share it.
    return exact === 'null' || exact === 'file://' ? undefined : exact;
  } catch {
    return undefined;
  }
}

/** Whether the question has fields to fill in. */
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

/** The values of a form in the form that MCP defines (Client › Elicitation). */
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
  /** The origin of the server; absent for a server in the page itself. */
  readonly origin?: string | undefined;
  /** The name of the server, such as `client.serverInfo.title`. */
  readonly requester?: string | undefined;
}

/** The values that a form of MCP may contain: no objects, and only lists of texts. */
export function elicitContent(content: object = {}): ElicitContent {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => isContent(value)));
}

function isContent(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((one) => typeof one === 'string')
    : ['string', 'number', 'boolean'].includes(typeof value);
}

/** Fired when the user has answered a question of an `<mcp-consent>`, or closed it. */
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
