import { expect } from '@esm-bundle/chai';
import type { Elicit, ElicitRequest, ElicitResult } from '@inpage-mcp/client';

/** A user who answers when a test says so. */
export function slowUser(): {
  elicit: Elicit;
  /** Resolves when a question has been put. */
  asked: Promise<{ request: ElicitRequest; signal: AbortSignal }>;
  answer: (result: ElicitResult) => void;
} {
  let resolveAsked!: (question: { request: ElicitRequest; signal: AbortSignal }) => void;
  let answer!: (result: ElicitResult) => void;
  const asked = new Promise<{ request: ElicitRequest; signal: AbortSignal }>((resolve) => {
    resolveAsked = resolve;
  });
  const answered = new Promise<ElicitResult>((resolve) => {
    answer = resolve;
  });
  const elicit: Elicit = (request, { signal }) => {
    resolveAsked({ request, signal });
    return answered;
  };
  return { elicit, asked, answer };
}

export const DONE = { resultType: 'complete', content: [] };

export const question = (message: string): object => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
});

export const asking = (inputRequests: object, requestState?: string): object => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState !== undefined && { requestState }),
});

export const ONE_QUESTION = asking({ q: question('Sure?') });

/** The params of a request, without its `_meta`. */
export const bare = (params: { [key: string]: unknown } | undefined): object => {
  const { _meta, ...rest } = params ?? {};
  expect(_meta).to.be.an('object');
  return rest;
};
