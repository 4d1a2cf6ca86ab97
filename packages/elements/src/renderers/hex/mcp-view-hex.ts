export class McpViewHex extends HTMLElement {}
