import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { fieldsOf } from './gate.js';

/** The parts of MCP that a server declares before it is asked for them. */
export type Capability = 'resources' | 'tools' | 'prompts';

const CAPABILITIES = ['resources', 'tools', 'prompts'] as const;

/**
 * Whether a server declares a capability. It must not be asked for what it does not declare (Base
 * protocol › Capability negotiation). A client that does not say what its server has may be asked.
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

/** For an element that its server has nothing for: what else it has; empty if that is nothing. */
export function othersInWords(client: McpClient | undefined, capability: Capability): string {
  if (!client || declares(client, capability)) return '';
  const others = CAPABILITIES.filter((one) => declares(client, one)).map(nameOfCapability);
  if (others.length === 0) return '';
  return msg(str`It has: ${others.join(', ')}.`, { id: 'mcp.has-others' });
}

/** Says that a server has no resources, and what else it has. */
export function noResourcesInWords(client: McpClient | undefined): string {
  const text = msg('This server has no resources.', { id: 'mcp.no-resources' });
  return `${text} ${othersInWords(client, 'resources')}`;
}
