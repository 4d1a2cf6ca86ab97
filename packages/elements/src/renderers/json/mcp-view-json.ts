export class McpViewJson extends HTMLElement {}
