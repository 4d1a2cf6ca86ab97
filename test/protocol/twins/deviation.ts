import type { Revision } from '../../support/revisions.js';
import type { Members, Outline, Transcript } from './outline.js';

/** Something that one server does otherwise than the other, where the specification decides. */
export interface Deviation<Subject> {
  /** Where it decides. */
  section: string;
  /** What the SDK (2.4.0) does, in the words of a sentence that begins with `it`. */
  sdk: string;
  /** Whether it does so about this, in this revision. */
  concerns(subject: Subject, revision: Revision): boolean;
  /** What this project's server sends, where the SDK has sent this. */
  instead(sdk: Transcript, subject: Subject, revision: Revision): Transcript;
}

/** Each answer is an error. */
export function refusal(code: number, data?: object): (sdk: Transcript) => Transcript {
  return (sdk) => sdk.map(({ id }) => ({ id: id!, error: { code, ...(data && { data }) } }));
}

/** Each error of one code is one of another. */
export function withCode(from: number, to: number): (sdk: Transcript) => Transcript {
  return (sdk) =>
    sdk.map((one) =>
      one.error?.code === from ? { ...one, error: { ...one.error, code: to } } : one,
    );
}

/** The answers with these ids are others. */
export function withAnswers(answers: {
  [id: string | number]: Pick<Outline, 'result' | 'error'>;
}): (sdk: Transcript) => Transcript {
  return (sdk) =>
    sdk.map((one) => {
      const { id } = one;
      const other = id === undefined ? undefined : answers[id];
      return other ? { id: id!, ...other } : one;
    });
}

/** Each result has other members, which are made of its own. */
export function withResults(change: (result: Members) => Members): (sdk: Transcript) => Transcript {
  return (sdk) =>
    sdk.map((one) =>
      one.result ? { ...one, result: { ...one.result, ...change(one.result) } } : one,
    );
}
