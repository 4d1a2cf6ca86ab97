/** How many times a model may call tools and read the answers, for one question. */
export const MAX_TOOL_ROUNDS = 8;

/** How many tools it may call for one question, in all rounds. */
export const MAX_TOOL_CALLS = 24;

/** How much of the answer of one tool it gets, in estimated tokens of four bytes. */
export const MAX_TOOL_RESULT_TOKENS = 15_000;

/** How long the answer of the model may be in each round, in tokens. The endpoint is asked to keep it. */
export const MAX_OUTPUT_TOKENS = 2_048;

/** How long all that it says to one question may be, in characters, if the endpoint does not keep the limit. */
export const MAX_ANSWER_LENGTH = 100_000;

/** How long a question may be, in characters. */
export const MAX_QUESTION_LENGTH = 4_000;

/** How many questions, with their answers, are sent again with the next one. */
export const MAX_TURNS = 12;

/** How often a request that was refused for the moment is made again. */
export const MAX_RETRIES = 2;

/** The wait before the first retry if the endpoint names none, in milliseconds. It doubles each time. */
export const FIRST_RETRY_MS = 2_000;

/** A longer wait is not waited for, in milliseconds. */
export const MAX_RETRY_WAIT_MS = 60_000;

/** How much of the resources the model of the browser gets, in estimated tokens: its context is small. */
export const BUILT_IN_CONTEXT_TOKENS = 3_000;

/** How many resources are read for the model of the browser. */
export const BUILT_IN_MAX_RESOURCES = 50;
