/** `toolwire/realtime` as another project gets it. `npm test` builds first. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('toolwire/realtime talks to the scripted server that comes with it', () => {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-consumer-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'node_modules', 'toolwire'), { recursive: true });
  for (const name of ['package.json', 'dist']) symlinkSync(resolve(name), join(dir, 'node_modules', 'toolwire', name));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(dir, 'use.js'),
    `import { OpenAIRealtimeProvider, startScriptedRealtimeServer } from 'toolwire/realtime';
     const server = await startScriptedRealtimeServer({ dialect: 'openai' });
     const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'scripted' });
     await provider.connect();
     console.log(provider.state);
     await provider.disconnect();
     await server.close();`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['use.js'], { encoding: 'utf8', cwd: dir });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'connected\n', stderr: '' });
});
