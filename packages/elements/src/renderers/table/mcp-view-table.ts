export class McpViewTable extends HTMLElement {}
