export class McpViewMedia extends HTMLElement {}
export { McpViewMedia as renderer };
