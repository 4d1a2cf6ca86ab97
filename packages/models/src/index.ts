// The context for a model: contents of resources in a message.
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

// The tools of a server that a model may call, in the form of the API of the model.
export { toTools } from './tools/to-tools.js';
export type {
  ModelTools,
  ToolCaller,
  ToolFormat,
  ToolFormats,
  ToolsOptions,
} from './tools/tool-formats.js';
export type {
  AiSdkSchema,
  AiSdkTool,
  AiSdkToolAnswer,
  AnthropicTool,
  AnthropicToolAnswer,
  GoogleTool,
  GoogleToolAnswer,
  OpenAiChatTool,
  OpenAiTool,
  OpenAiToolAnswer,
  TextTool,
  ToolSchema,
} from './tools/vendor-types.js';
