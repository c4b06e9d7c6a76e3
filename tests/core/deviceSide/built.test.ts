/** `toolwire/device` as another project gets it. `npm test` builds first. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { strictTsc } from '../../helpers/strictTsc.ts';

/** A project that has installed us, and nothing that we were built with. */
function consumer(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-consumer-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'node_modules', 'toolwire'), { recursive: true });
  for (const name of ['package.json', 'dist']) symlinkSync(resolve(name), join(dir, 'node_modules', 'toolwire', name));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  return dir;
}

function node(args: string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd });
  return { status, stdout, stderr };
}

test('toolwire/device makes a server with tools in another project', () => {
  const dir = consumer();
  writeFileSync(
    join(dir, 'use.js'),
    `import { DeviceClient, McpServer, McpTool, Property, PropertyList, PropertyType } from 'toolwire/device';
     const server = new McpServer();
     server.addCommonTools({ ir: { simulated: true } });
     server.addTool(new McpTool({
       name: 'self.lamp.set', description: 'Sets the lamp.',
       properties: new PropertyList([new Property('level', PropertyType.INTEGER, { minimum: 0, maximum: 100 })]),
       callback: ({ level }) => \`level \${level}\`,
     }));
     const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'self.lamp.set', arguments: { level: 5 } } };
     console.log(JSON.parse(await server.handle(call)).result.content[0].text);
     const client = new DeviceClient({ url: 'ws://127.0.0.1:1/', server });
     console.log(await client.connect().catch((error) => error.message));`,
  );
  const { status, stdout, stderr } = node(['use.js'], dir);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^level 5\n.*ECONNREFUSED.*\n$/);
});

// The compiler takes longer than the default on a busy machine.
test('toolwire/device has types, without skipLibCheck and without the types of ws', { timeout: 120_000 }, () => {
  const dir = consumer();
  writeFileSync(
    join(dir, 'use.ts'),
    `import { DeviceClient, McpServer, McpTool, type DeviceClientState, type ToolManager } from 'toolwire/device';
     const manager: ToolManager = {
       initTools: (addTool) => addTool(new McpTool({ name: 'on', description: '', callback: async () => true })),
     };
     const server = new McpServer();
     server.addManagers(manager);
     export const state: DeviceClientState = new DeviceClient({ url: 'ws://127.0.0.1:1/', server, reconnect: true }).state;\n`,
  );
  writeFileSync(
    join(dir, 'wrong.ts'),
    `import { McpTool } from 'toolwire/device';
     export const tool = new McpTool({ name: 'on', description: '', callback: () => ({ not: 'content' }) });\n`,
  );
  // Symbolic links stay where they are, so that what we have installed is not found from there.
  const types = ['--preserveSymlinks', '--typeRoots', resolve('node_modules/@types')];
  // Only the wrong file has an error.
  const { stdout } = node([...strictTsc, ...types, 'use.ts', 'wrong.ts'], dir);
  expect(stdout).toMatch(/wrong\.ts.*not.*ToolReturn|wrong\.ts.*ToolContent/s);
  expect(stdout.match(/^\S.*/gm)?.filter((line) => !line.startsWith('wrong.ts('))).toEqual([]);
});
