export class McpViewTable extends HTMLElement {}
export { McpViewTable as renderer };
