export class McpViewHex extends HTMLElement {}
export { McpViewHex as renderer };
