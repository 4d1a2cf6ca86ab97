// The host of an MCP App, for the document that is the app.
export { connectToHost } from './connect-to-host.js';
export type { AppTool, ConnectToHostOptions } from './connect-to-host.js';
export type { AppInput, Host, LogLevel, ModelContext } from './host.js';
export type { DisplayMode, HostContext, SafeAreaInsets } from './app/host-context.js';
