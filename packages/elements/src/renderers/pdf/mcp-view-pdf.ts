export class McpViewPdf extends HTMLElement {}
