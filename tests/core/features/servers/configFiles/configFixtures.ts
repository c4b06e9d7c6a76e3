import { readFileSync } from 'node:fs';

import type { WritableFormat } from '../../../../../src-core/features/servers/configFiles/types.ts';

/** A file of each format: where the host keeps it, and our example of it. */
export const configFixtures: Record<WritableFormat, { path: string; file: string }> = {
  'claude-desktop': { path: 'claude_desktop_config.json', file: 'claude_desktop_config.json' },
  'claude-code': { path: '/project/.mcp.json', file: 'claude_code.mcp.json' },
  cursor: { path: 'C:\\project\\.cursor\\mcp.json', file: 'cursor.mcp.json' },
  cline: { path: 'cline_mcp_settings.json', file: 'cline_mcp_settings.json' },
  vscode: { path: '/project/.vscode/mcp.json', file: 'vscode.mcp.json' },
  codex: { path: '/home/me/.codex/config.toml', file: 'config.toml' },
  'mcp-pipe': { path: 'mcp_config.json', file: 'mcp_config.json' },
  'server-json': { path: 'server.json', file: 'server.json' },
};

export function fixtureText(format: WritableFormat): string {
  const url = new URL(`../../../../fixtures/mcpConfigs/${configFixtures[format].file}`, import.meta.url);
  return readFileSync(url, 'utf8');
}
