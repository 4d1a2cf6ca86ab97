import {
  definePrompt as define,
  type Prompt,
  type PromptArgument,
  type PromptDefinition,
} from '@inpage-mcp/protocol';
import type { Connection } from '../access/connection-context.js';

interface Arguments {
  readonly [name: string]: PromptArgument<Connection>;
}

/**
 * Defines a prompt whose `call.context` contains the data that its connection may see. Otherwise the same as
 * `definePrompt` of `@inpage-mcp/protocol`.
 */
export function definePrompt<const Known extends Arguments = {}>(
  definition: PromptDefinition<Known, Connection> & { arguments?: Arguments },
): Prompt<Connection> {
  return define<Known, Connection>(definition);
}
