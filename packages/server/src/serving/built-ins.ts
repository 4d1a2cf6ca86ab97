import type { Feature } from '../access/connection-context.js';
import { disk } from '../resources/disk/disk.js';
import { notePrompts } from '../prompts/prompts.js';
import { files } from '../resources/files/file-resources.js';
import { notes } from '../resources/notes/note-resources.js';
import type { ProviderSource } from '../resources/provider-host.js';
import { runtimeResources } from '../resources/runtime-resources.js';
import { fileTools } from '../tools/file-tools.js';
import { noteTools } from '../tools/note-tools.js';
import { resourceTools } from '../tools/resource-tools.js';

/** The resources of a server that names none, in the order of listing. */
export const DEFAULT_PROVIDERS: readonly ProviderSource[] = [
  notes(),
  files(),
  runtimeResources(),
  disk(),
];

/** The tools and prompts of a server that names none. */
export const DEFAULT_FEATURES: readonly Feature[] = [
  noteTools(),
  fileTools(),
  resourceTools(),
  notePrompts(),
];
