export class McpViewHtml extends HTMLElement {}
export { McpViewHtml as renderer };
