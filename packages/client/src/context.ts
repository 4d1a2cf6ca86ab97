// What a model gets of resources, as the content of a message.
export { MAX_CONTEXT_URIS, toContext } from './context/to-context.js';
export type {
  Context,
  ContextFormat,
  ContextOptions,
  IncludedContent,
  OmittedContent,
  PartsContext,
  ResourceReader,
  TextContext,
} from './context/context-types.js';
export type {
  AiSdkPart,
  AnthropicBlock,
  AnthropicImageType,
  ContextParts,
  GooglePart,
  OpenAiChatPart,
  OpenAiPart,
} from './context/part-types.js';
