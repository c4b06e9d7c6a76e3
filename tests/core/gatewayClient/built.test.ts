/** `toolwire/gateway-client` as another project gets it, and as a browser does. `npm test` builds first. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import type * as Source from '../../../src-core/gatewayClient.ts';
import { openGateway } from '../features/gateway/support/openGateway.ts';

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

test('exports its errors and reports an unreachable address in another project', () => {
  const dir = consumer();
  writeFileSync(
    join(dir, 'use.js'),
    `import { GatewayClient, GatewayConnectionError } from 'toolwire/gateway-client';
     const client = new GatewayClient({ url: 'ws://127.0.0.1:1' });
     const error = await client.connect().catch((error) => error);
     console.log(error instanceof GatewayConnectionError, client.state);`,
  );
  expect(node(['use.js'], dir)).toEqual({ status: 0, stdout: 'true closed\n', stderr: '' });
});

test('it has a conversation', async () => {
  const { url } = await openGateway({ turns: [{ toolCalls: [{ name: 'f' }] }, { text: 'done' }] });
  const { GatewayClient } = (await import(resolve('dist/gateway-client.js'))) as typeof Source;
  const client = new GatewayClient({ url });
  await client.connect();
  await client.registerTools([{ name: 'f', description: 'F.', parameters: { type: 'object' }, handler: () => 1 }]);
  expect((await client.chat('go')).text).toBe('done');
  client.close();
});

test('a browser can load it: nothing of Node, in no file of it', () => {
  const seen = new Set<string>();
  const read = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    const imports = [...code.matchAll(/^(?:import|export)\b[^'"]*['"]([^'"]+)['"]/gm)].map(([, name]) => name!);
    for (const name of imports) {
      expect(name).toMatch(/^\.\//);
      read(join(dirname(file), name));
    }
    expect(code).not.toMatch(/\b(process|Buffer|require|__dirname)\b/);
  };
  read(resolve('dist/gateway-client.js'));
});

// Two runs of the compiler: with everything else at once, that is more than the usual half minute.
test('it has types, without skipLibCheck, in Node and in a page', { timeout: 180_000 }, () => {
  const dir = consumer();
  writeFileSync(
    join(dir, 'use.ts'),
    `import { GatewayClient, type ClientTool, type ChatAnswer, type GatewayMessage } from 'toolwire/gateway-client';
     const tool: ClientTool = {
       name: 'f', description: '', parameters: { type: 'object' }, handler: async ({ n }, { signal }) => [n, signal.aborted],
     };
     const client = new GatewayClient({ url: 'ws://127.0.0.1:1', reconnect: true });
     export const answer: Promise<ChatAnswer> = client.registerTools([tool]).then(() =>
       client.chat('hi', { onMessage: (message: GatewayMessage) => void message.type, signal: AbortSignal.timeout(1) }));\n`,
  );
  const tsc = resolve('node_modules/typescript-native/bin/tsc');
  const flags = ['--strict', '--noEmit', '--target', 'es2024', '--preserveSymlinks'];
  const forNode = [
    '--module',
    'nodenext',
    '--lib',
    'es2024',
    '--types',
    'node',
    '--typeRoots',
    resolve('node_modules/@types'),
  ];
  expect(node([tsc, ...flags, ...forNode, 'use.ts'], dir)).toEqual({ status: 0, stdout: '', stderr: '' });
  const forPage = [
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2024,dom',
    '--typeRoots',
    join(dir, 'none'),
  ];
  expect(node([tsc, ...flags, ...forPage, 'use.ts'], dir)).toEqual({ status: 0, stdout: '', stderr: '' });
});
