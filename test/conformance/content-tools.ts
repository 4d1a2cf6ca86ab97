import { defineTool, ToolError, type ContentBlock } from '@inpage-mcp/protocol';
import { PNG, WAV } from './sample-contents.js';

/** Tools that answer with each kind of content, and one whose schema uses many keywords. */
export const contentTools = [
  answering('test_simple_text', [
    { type: 'text', text: 'This is a simple text response for testing.' },
  ]),
  answering('test_image_content', [{ type: 'image', data: PNG, mimeType: 'image/png' }]),
  answering('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  answering('test_embedded_resource', [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]),
  answering('test_multiple_content_types', [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ]),
  defineTool({
    name: 'test_error_handling',
    description: 'Always fails.',
    run() {
      throw new ToolError('This tool intentionally returns an error for testing');
    },
  }),
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: (input) => JSON.stringify(input),
  }),
];

function answering(name: string, content: ContentBlock[]): ReturnType<typeof defineTool> {
  return defineTool({
    name,
    description: 'Always answers the same.',
    run: () => ({ content }),
  });
}
