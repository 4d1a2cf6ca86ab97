/** A question to the user. All its texts may come from somebody who wants to deceive. */
export interface ConsentQuestion {
  /** What is asked, in the exact words. */
  readonly message: string;
  /**
   * The origin of the asker, as the browser reports it: `null` for a sandboxed frame. Any other text is
   * shown as a name.
   */
  readonly origin?: string | undefined;
  /** What the asker calls itself; nothing ensures that it is true. */
  readonly requester?: string | undefined;
  /** The name of the tool that is to run. */
  readonly tool?: string | undefined;
  /** The values that the tool is to run with; shown as JSON. */
  readonly arguments?: unknown;
  /** What the user fills in, as a JSON Schema of an object. Without properties, the answer is yes or no. */
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

/** What a page calls its own question, and the answers to it. */
export interface ConsentTexts {
  /** The heading of the dialog. */
  readonly title?: string | undefined;
  /** The button whose answer is `once`. */
  readonly yes?: string | undefined;
  /** The button whose answer is `decline`. */
  readonly no?: string | undefined;
}

/**
 * What the user decided. `once` and `always` are a yes, `decline` and `never` a no; `cancel` is no
 * answer: the user closed the dialog, the question was withdrawn, or the element is not in a page.
 */
export type ConsentDecision = 'once' | 'always' | 'decline' | 'never' | 'cancel';

/** The user's answer. */
export interface ConsentAnswer {
  /** See {@link ConsentDecision}. */
  readonly decision: ConsentDecision;
  /** With a yes: what the user has filled in, by name. */
  readonly content?: { readonly [name: string]: unknown } | undefined;
}

/** Whether an answer is a yes. */
export function isYes({ decision }: ConsentAnswer): boolean {
  return decision === 'once' || decision === 'always';
}

/** Where the answers `always` and `never` are kept: a `Map`, or anything that stores them longer. */
export interface ConsentStore {
  /** The answer that is kept for a key, if there is one. */
  get(key: string): LastingDecision | undefined | Promise<LastingDecision | undefined>;
  /** Keeps an answer. What it returns is ignored. */
  set(key: string, decision: LastingDecision): unknown;
}

/** A decision for all later questions. */
export type LastingDecision = 'always' | 'never';

/** What a lasting answer is kept under: the asker and the tool. */
export function keyOf({ origin, tool }: ConsentQuestion): string {
  return JSON.stringify([originOf(origin), tool]);
}

/**
 * An origin as the browser compares it: in ASCII, so that no letter looks like another one; `undefined`
 * for what is no origin, or one that many share, such as that of every sandboxed frame.
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
