/** @jsxImportSource solid-js */
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import '@inpage-mcp/elements/solid';
import type { McpClient } from '@inpage-mcp/client';
declare const client: McpClient;
export const a = (
  <mcp-provider client={client}>
    <mcp-resource-list
      label="Notes"
      on:mcp-resource-select={({ resource }) => console.log(resource.uri)}
    />
  </mcp-provider>
);
// @ts-expect-error a label is a text
export const b = <mcp-resource-list label={7} />;
export const c = (
  // @ts-expect-error a resource has no such member
  <mcp-resource-list on:mcp-resource-select={({ resource }) => console.log(resource.nothing)} />
);
export const d = <mcp-provider prop:client={client} />;
// @ts-expect-error a client is no text
export const e = <mcp-provider prop:client="client" />;
