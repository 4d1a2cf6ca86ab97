import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { fieldsOf } from './gate.js';

/** The parts of MCP that a server declares before it is asked for them. */
export type Capability = 'resources' | 'tools' | 'prompts';

const CAPABILITIES = ['resources', 'tools', 'prompts'] as const;

/**
 * Whether a server declares a capability. A client must not ask a server for features that it does not
 * declare (Base protocol › Capability negotiation). If a client does not provide the capabilities of its
 * server, asking is allowed.
 */
export function declares({ serverCapabilities }: McpClient, capability: Capability): boolean {
  const declared = fieldsOf(serverCapabilities)[capability] ?? false;
  return serverCapabilities === undefined || declared !== false;
}

/** The name of a capability for people. */
export function nameOfCapability(capability: Capability): string {
  if (capability === 'tools') return msg('Tools', { id: 'mcp.connection.tools' });
  return capability === 'prompts'
    ? msg('Prompts', { id: 'mcp.connection.prompts' })
    : msg('Resources', { id: 'mcp.connection.resources' });
}

/**
 * The text for an element whose capability the server lacks: the other features of the server; empty without
 * any.
 */
export function othersInWords(client: McpClient | undefined, capability: Capability): string {
  if (!client || declares(client, capability)) return '';
  const others = CAPABILITIES.filter((one) => declares(client, one)).map(nameOfCapability);
  if (others.length === 0) return '';
  return msg(str`It has: ${others.join(', ')}.`, { id: 'mcp.has-others' });
}

/** The text that a server has no resources, with its other features. */
export function noResourcesInWords(client: McpClient | undefined): string {
  const text = msg('This server has no resources.', { id: 'mcp.no-resources' });
  return `${text} ${othersInWords(client, 'resources')}`;
}
