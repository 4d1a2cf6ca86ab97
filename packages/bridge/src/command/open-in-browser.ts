import { spawn } from 'node:child_process';

/** The program of each platform that opens an address in the default browser. */
const OPENERS: { readonly [platform: string]: readonly [command: string, ...args: string[]] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in the default browser. No shell reads the address.
 *
 * @param command The program to start instead, with `INPAGE_MCP_BROWSER` in the environment.
 */
export function openInBrowser(url: string, command = process.env['INPAGE_MCP_BROWSER']): void {
  const [program, ...args] = command ? [command] : (OPENERS[process.platform] ?? ['xdg-open']);
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', (error) => console.error('inpage-mcp bridge:', error.message));
  child.unref();
}
