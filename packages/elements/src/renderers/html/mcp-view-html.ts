export class McpViewHtml extends HTMLElement {}
