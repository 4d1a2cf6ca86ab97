import { homedir } from 'node:os';
import { join } from 'node:path';

/** A program whose configuration can be written. */
export interface Target {
  /** The name of the program, for the user. */
  title: string;
  /** The file with its MCP servers. */
  path: string;
  /** The member of the file that maps names to servers. */
  key: string;
  /** Whether the entry of a server has a `type`, which names its transport. */
  hasType: boolean;
  /** The step that the user has to take before the program uses the change. */
  next: string;
}

/** The names of the programs, as on the command line. */
export const TARGET_NAMES = ['claude', 'vscode', 'cursor', 'claude-code', 'gemini'] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** The environment that paths depend on. */
export interface Place {
  platform: NodeJS.Platform;
  home: string;
  env: NodeJS.ProcessEnv;
}

const here = (): Place => ({ platform: process.platform, home: homedir(), env: process.env });

/**
 * The target with this name: the file of the program's configuration on this platform, and the form of that
 * file.
 */
export function targetOf(name: TargetName, place: Place = here()): Target {
  const { home, env } = place;
  switch (name) {
    case 'claude':
      return {
        title: 'Claude Desktop',
        path: join(applicationFolder(place), 'Claude', 'claude_desktop_config.json'),
        key: 'mcpServers',
        hasType: false,
        next: 'Restart Claude Desktop.',
      };
    case 'vscode':
      return {
        title: 'VS Code',
        path: join(applicationFolder(place), 'Code', 'User', 'mcp.json'),
        key: 'servers',
        hasType: true,
        next: 'Start the server in VS Code: "MCP: List Servers", inpage-mcp, "Start Server".',
      };
    case 'cursor':
      return {
        title: 'Cursor',
        path: join(home, '.cursor', 'mcp.json'),
        key: 'mcpServers',
        hasType: false,
        next: 'Restart Cursor.',
      };
    case 'claude-code':
      return {
        title: 'Claude Code',
        path: join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
        key: 'mcpServers',
        hasType: true,
        next: 'Restart Claude Code.',
      };
    case 'gemini':
      return {
        title: 'Gemini CLI',
        path: join(home, '.gemini', 'settings.json'),
        key: 'mcpServers',
        hasType: false,
        next: 'Restart Gemini CLI in a folder that it trusts.',
      };
  }
}

/** The folder in which programs keep their settings. */
function applicationFolder({ platform, home, env }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}
