import { definePrompt, type ContentBlock, type GetPromptResult } from '@inpage-mcp/protocol';
import { PNG } from './sample-contents.js';

/** The prompts of the scenarios `prompts-*` and `completion-complete`. */
export const prompts = [
  definePrompt({
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    run: () => said({ type: 'text', text: 'This is a simple prompt for testing.' }),
  }),
  definePrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    arguments: {
      arg1: {
        description: 'First test argument',
        required: true,
        complete: (typed) => ['paris', 'park', 'party'].filter((word) => word.startsWith(typed)),
      },
      arg2: { description: 'Second test argument', required: true },
    },
    run: ({ arg1, arg2 }) =>
      said({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  }),
  definePrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource in it.',
    arguments: { resourceUri: { description: 'URI of the resource to embed', required: true } },
    run: ({ resourceUri: uri }) =>
      said(
        {
          type: 'resource',
          resource: {
            uri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  }),
  definePrompt({
    name: 'test_prompt_with_image',
    description: 'A prompt with an image in it.',
    run: () =>
      said(
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  }),
];

/** One message of the user for each content. */
function said(...contents: ContentBlock[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
