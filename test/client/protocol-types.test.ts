import {
  CallToolResultSchema,
  CompleteResultSchema,
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/core';
import { expect } from '@esm-bundle/chai';
import type * as Own from '@inpage-mcp/client';
import type * as Sdk from '@modelcontextprotocol/server';
import { useLinkedClient } from '../support/linked-server.js';

// Compile-time tests: what the official SDK's types allow a server to send, ours can hold.
type Assignable<From extends To, To> = From;
// An interface, which may be extended, is not assignable to an index signature; its type is.
type Plain<Shape> = { [Key in keyof Shape]: Shape[Key] };
export type TypesOfTheSdk = [
  Assignable<Sdk.Icon, Own.Icon>,
  Assignable<Sdk.Implementation, Own.Implementation>,
  Assignable<Sdk.Annotations, Own.Annotations>,
  Assignable<Sdk.Progress, Own.Progress>,
  Assignable<Sdk.Resource, Own.Resource>,
  Assignable<Sdk.ResourceTemplateType, Own.ResourceTemplate>,
  Assignable<Sdk.TextResourceContents, Own.TextResourceContents>,
  Assignable<Sdk.BlobResourceContents, Own.BlobResourceContents>,
  Assignable<Sdk.ListResourcesResult['resources'], Own.ListResourcesResult['resources']>,
  Assignable<Sdk.ReadResourceResult['contents'], Own.ReadResourceResult['contents']>,
  Assignable<Sdk.TextContent, Own.TextContent>,
  Assignable<Sdk.ImageContent, Own.ImageContent>,
  Assignable<Sdk.AudioContent, Own.AudioContent>,
  Assignable<Sdk.ResourceLink, Own.ResourceLink>,
  Assignable<Sdk.EmbeddedResource, Own.EmbeddedResource>,
  Assignable<Sdk.ContentBlock, Own.ContentBlock>,
  Assignable<Sdk.ToolAnnotations, Own.ToolAnnotations>,
  Assignable<Sdk.Tool, Own.Tool>,
  Assignable<Sdk.ListToolsResult['tools'], Own.ListToolsResult['tools']>,
  Assignable<Sdk.CallToolResult, Own.CallToolResult>,
  Assignable<Sdk.PromptArgument, Own.PromptArgument>,
  Assignable<Sdk.Prompt, Own.Prompt>,
  Assignable<Sdk.PromptMessage, Own.PromptMessage>,
  Assignable<Sdk.ListPromptsResult['prompts'], Own.ListPromptsResult['prompts']>,
  Assignable<Sdk.GetPromptResult, Own.GetPromptResult>,
  Assignable<Sdk.CompleteResult, Own.CompleteResult>,
  Assignable<Sdk.ElicitRequestFormParams, Own.ElicitRequest>,
  Assignable<Sdk.ServerCapabilities['resources'], Own.ServerCapabilities['resources']>,
  Assignable<Sdk.ServerCapabilities['tools'], Own.ServerCapabilities['tools']>,
  Assignable<Sdk.ServerCapabilities['prompts'], Own.ServerCapabilities['prompts']>,
  Assignable<Sdk.ServerCapabilities['completions'], Own.ServerCapabilities['completions']>,
  // And what our client takes or sends for these, the SDK does too.
  Assignable<Own.Icon, Sdk.Icon>,
  Assignable<Own.Implementation, Sdk.Implementation>,
  Assignable<Own.Resource, Sdk.Resource>,
  Assignable<Own.ResourceTemplate, Sdk.ResourceTemplateType>,
  Assignable<Own.TextResourceContents, Sdk.TextResourceContents>,
  Assignable<Own.BlobResourceContents, Sdk.BlobResourceContents>,
  Assignable<Own.ContentBlock, Sdk.ContentBlock>,
  Assignable<Plain<Own.CallToolResult>, Sdk.CallToolResult>,
  Assignable<Own.PromptMessage, Sdk.PromptMessage>,
  Assignable<Own.PromptReference, Sdk.PromptReference>,
  Assignable<Own.ResourceTemplateReference, Sdk.ResourceTemplateReference>,
  Assignable<Own.CompleteArgument, Sdk.CompleteRequestParams['argument']>,
  Assignable<Plain<Own.ElicitResult>, Sdk.ElicitResult>,
];

describe('what the client gives', () => {
  const setup = useLinkedClient();

  it('fits the official schemas, whatever the request', async () => {
    const { notes } = setup.linked.server.store;
    const { id } = await notes.create({ title: 'Shopping', text: 'Milk' });
    const { client } = setup;
    const ref = { type: 'ref/prompt', name: 'summarize_note' } as const;
    const completion = await client.complete(ref, { name: 'note', value: '' });
    const results = [
      ListResourcesResultSchema.parse(await client.listResources()),
      ListResourceTemplatesResultSchema.parse(await client.listResourceTemplates()),
      ReadResourceResultSchema.parse(await client.readResource(`note:///${id}`)),
      ListToolsResultSchema.parse(await client.listTools()),
      CallToolResultSchema.parse(await client.callTool('search_notes', { query: 'milk' })),
      ListPromptsResultSchema.parse(await client.listPrompts()),
      GetPromptResultSchema.parse(await client.getPrompt('summarize_note', { note: id })),
      CompleteResultSchema.parse({ completion }),
    ];
    expect(results).to.have.length(8);
  });
});
