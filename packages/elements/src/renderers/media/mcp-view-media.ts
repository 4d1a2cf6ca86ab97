export class McpViewMedia extends HTMLElement {}
