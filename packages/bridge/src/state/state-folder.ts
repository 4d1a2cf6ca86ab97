import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder of the state file: `INPAGE_MCP_STATE`, or the usual folder of the platform.
 *
 * @param env The environment, with its paths.
 */
export function stateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const own = env['INPAGE_MCP_STATE'];
  if (own) return own;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'inpage-mcp');
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'inpage-mcp');
  return join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'inpage-mcp');
}
