/**
 * `node electron/packaging/smokeStart.ts COMMAND [ARGUMENT…]`: starts a package, waits until its workbench answers, makes one
 * call in it, lists its tools as an MCP host that is configured for it, and ends it. Exit code 0 if all of that succeeded.
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { withStartedApp, type StartedApp } from './startedApp.ts';

/** Starts the command of the configuration for Cursor as that does, and returns the number of tools that it gets. */
async function countTools({ client, dataDir }: StartedApp): Promise<number> {
  const texts = await client.hosts.connectTexts({ scope: 'all', finds: false });
  const { text = '' } = texts.find(({ program, writable }) => program === 'cursor' && writable !== undefined) ?? {};
  const { command, args, env } = (JSON.parse(text) as { mcpServers: { toolwire: Entry } }).mcpServers.toolwire;
  const host = new Client({ name: 'smoke', version: '1' });
  await host.connect(
    new StdioClientTransport({ command, args: [...args, '--data-dir', dataDir], ...(env && { env }) }),
  );
  const { tools } = await host.listTools();
  await host.close();
  return tools.length;
}

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

await withStartedApp(process.argv.slice(2), async (app) => {
  const { shell, version, platform } = await app.client.workbench.info();
  const { status } = await app.client.calls.execute({
    callId: crypto.randomUUID(),
    toolName: 'clock_get_time',
    argsJson: '{}',
    origin: 'cli',
    confirmed: true,
  });
  if (shell !== 'electron' || status !== 'success') throw new Error(`shell ${shell}, call ${status}`);
  const tools = await countTools(app);
  if (tools === 0) throw new Error('an MCP host gets no tools');
  return `Toolwire ${version} on ${platform}: started and called, with ${tools} tools for an MCP host`;
});
