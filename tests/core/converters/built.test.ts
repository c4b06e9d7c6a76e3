/** `toolwire/converters` as another project gets it, with one framework beside it. `npm test` builds first. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A project that has installed us, and of the frameworks none. */
function consumer(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-consumer-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'node_modules', 'toolwire'), { recursive: true });
  for (const name of ['package.json', 'dist']) symlinkSync(resolve(name), join(dir, 'node_modules', 'toolwire', name));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  return dir;
}

test('toolwire/converters loads without any framework, and takes one that is passed in', () => {
  const dir = consumer();
  const ai = JSON.stringify(import.meta.resolve('ai'));
  writeFileSync(
    join(dir, 'use.js'),
    `import { AiSdkToolConverter, BUILTIN_LOCAL_TOOLS } from 'toolwire/converters';
     const converter = new AiSdkToolConverter({ ai: await import(${ai}) });
     const { get_date } = converter.convertLocalTools(BUILTIN_LOCAL_TOOLS);
     const { status, result } = await get_date.execute({}, { toolCallId: '1', messages: [] });
     console.log(status, result.length);`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['use.js'], { encoding: 'utf8', cwd: dir });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'success 10\n', stderr: '' });
});

// The compiler reads all of the framework's types.
test('toolwire/converters has types that fit those of the framework', () => {
  const dir = consumer();
  for (const name of ['ai', '@ai-sdk', '@types'])
    symlinkSync(resolve('node_modules', name), join(dir, 'node_modules', name));
  writeFileSync(
    join(dir, 'use.ts'),
    `import * as ai from 'ai';
     import { AiSdkAgentProvider, AiSdkToolConverter, BUILTIN_LOCAL_TOOLS } from 'toolwire/converters';
     const tools: ai.ToolSet = new AiSdkToolConverter({ ai }).convertLocalTools(BUILTIN_LOCAL_TOOLS);
     const agent = new AiSdkAgentProvider({ ai, model: 'gpt-4.1' });
     await agent.initialize({ tools, systemPrompt: '' });
     export const reply: Promise<string> = agent.chat('Hi');\n`,
  );
  const tsc = resolve('node_modules/typescript-native/bin/tsc');
  const flags = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    'node',
  ];
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...flags, 'use.ts'], { encoding: 'utf8', cwd: dir });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
}, 120_000);
