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
