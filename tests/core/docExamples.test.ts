/** The examples of the documentation, run as they stand. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

import { executeSingleRequest } from '../../src-core/engine/executor.ts';
import { unpinnedPackages } from '../../src-core/features/servers/unpinnedPackages.ts';
import type { ToolCallCycleResult } from '../../src-core/base/calls.ts';
import { openModuleFolder } from './registry/modules/moduleFolder.ts';

const root = new URL('../../', import.meta.url);

/** The first block of code in a file that holds a text. */
async function blockWith(file: string, text: string): Promise<string> {
  const blocks = (await readFile(new URL(file, root), 'utf8')).matchAll(/^```\w+\n([\s\S]*?)^```$/gm);
  const found = [...blocks].find(([, code]) => code?.includes(text));
  if (found?.[1] === undefined) throw new Error(`${file} has no code with ${text}`);
  return found[1];
}

test('the module of docs/modules.md rolls dice, and its answer fits what it declares', async () => {
  const { manager: toolRegistryManager } = await openModuleFolder({
    'dice.js': await blockWith('docs/modules.md', '// dice.js'),
  });
  const request = { toolName: 'dice_roll', args: { count: 100 } };
  const result = await executeSingleRequest(request, { toolRegistryManager, caller: 'model' });
  expect(result).toMatchObject({ status: 'success', outputIssues: [] });
  const { sum } = JSON.parse(result.structuredContent ?? '') as { sum: number };
  expect(sum).toBeGreaterThanOrEqual(100);
  expect(sum).toBeLessThanOrEqual(600);
});

test('the turn of docs/core.md finds the call, runs it, and its answer fits what it declares', async () => {
  const code = await blockWith('docs/core.md', 'defineToolRegistry({');
  const reply = [
    ...['<<<[TOOL_REQUEST]>>>', 'tool_name:「始」lamp_setBrightness「末」,', 'percent:「始」40「末」'],
    '<<<[END_TOOL_REQUEST]>>>',
  ].join('\n');
  const core = new URL('src-core/core.ts', root).href;
  const dir = await mkdtemp(join(tmpdir(), 'toolwire-docs-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'example.mjs');
  await writeFile(
    file,
    `const replyOfTheModel = ${JSON.stringify(reply)};\n${code.replace('toolwire/core', core)}\nexport { prompt, cycle, text };`,
  );
  const { prompt, cycle, text } = (await import(pathToFileURL(file).href)) as {
    prompt: string;
    cycle: ToolCallCycleResult;
    text: string;
  };
  expect(prompt).toContain('setBrightness');
  expect(cycle.executionResults).toMatchObject([
    { status: 'success', structuredContent: '{"percent":40,"aborted":false}', outputIssues: [] },
  ]);
  expect(text).toContain('"percent":40');
});

test.each(['README.md', 'docs/terminal.md', 'docs/mcp-library.md'])(
  '%s starts MCP servers in exact versions',
  async (file) => {
    const text = await readFile(new URL(file, root), 'utf8');
    const packages = [...text.matchAll(/@modelcontextprotocol\/server-[\w-]+(?:@[\w.-]+)?/g)].map(([name]) => name);
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.flatMap((name) => unpinnedPackages(['npx', name]))).toEqual([]);
  },
);
