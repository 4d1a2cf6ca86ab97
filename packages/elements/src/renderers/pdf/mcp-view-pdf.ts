export class McpViewPdf extends HTMLElement {}
export { McpViewPdf as renderer };
