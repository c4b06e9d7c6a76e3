import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { callOptions, connect, everything, never, program } from './connectedServer.ts';
import { fakeDeadlines } from './fakeDeadlines.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'toolwire-mcp-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test.each([
  [everything, 13],
  ['@modelcontextprotocol/server-filesystem/dist/index.js', 14],
  ['@modelcontextprotocol/server-memory/dist/index.js', 9],
  ['@modelcontextprotocol/server-sequential-thinking/dist/index.js', 1],
])('%s is legacy and lists its tools', async (path, count) => {
  const args = path.includes('filesystem') ? [folder()] : [];
  const env = path.includes('memory') ? { MEMORY_FILE_PATH: join(folder(), 'graph.json') } : {};
  const connection = await connect({ ...program(path, ...args), env: env as Record<string, string> });
  expect([connection.era, connection.revision]).toEqual(['legacy', '2025-11-25']);
  const { tools, faults } = await connection.listTools(never);
  expect(tools).toHaveLength(count);
  expect(faults).toEqual([]);
});

test.each([
  ['@playwright/mcp/cli.js', 25],
  ['chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js', 32],
])('%s lists its tools without a browser', async (path, count) => {
  const connection = await connect(program(path));
  expect([connection.era, connection.revision]).toEqual(['legacy', '2025-11-25']);
  expect((await connection.listTools(never)).tools).toHaveLength(count);
});

test('context7 is modern', async () => {
  const endpoint = program('@upstash/context7-mcp/dist/index.js');
  // A machine that is busy starts it slowly.
  const connection = await connect(endpoint, { probeTimeoutMs: 20_000 });
  expect([connection.era, connection.revision]).toEqual(['modern', '2026-07-28']);
  const { tools } = await connection.listTools(never);
  expect(tools).toHaveLength(2);
});

test('everything: a call, its progress and its total bound', async () => {
  const connection = await connect(program(everything));
  const echo = await connection.callTool('echo', { message: 'hello' }, callOptions());
  expect(echo.content).toEqual([{ type: 'text', text: 'Echo: hello' }]);
  fakeDeadlines();
  const seen: unknown[] = [];
  const onProgress = (progress: unknown): void => {
    seen.push(progress);
    vi.advanceTimersByTime(1_000);
  };
  const call = (options: object) =>
    connection.callTool(
      'trigger-long-running-operation',
      { duration: 1, steps: 4 },
      callOptions({ ...options, onProgress }),
    );
  expect((await call({ timeoutMs: 1_500 })).isError).toBe(false);
  expect(seen).toContainEqual({ progress: 1, total: 4 });
  const timedOut = { code: 'timeout', details: { total: true, limitMs: 1_200 } };
  await expect(call({ maxTotalMs: 1_200 })).rejects.toMatchObject(timedOut);
});

test('filesystem asks for our roots, and again after a change', async () => {
  const first = folder();
  const second = folder();
  writeFileSync(join(second, 'note.txt'), 'in the second');
  let roots = [{ uri: `file://${first}` }];
  let asked = 0;
  const connection = await connect(program('@modelcontextprotocol/server-filesystem/dist/index.js'), {
    handlers: {
      listRoots: () => {
        asked += 1;
        return Promise.resolve(roots);
      },
    },
  });
  await expect.poll(() => asked).toBe(1);
  const read = () => connection.callTool('read_text_file', { path: join(second, 'note.txt') }, callOptions());
  await expect.poll(async () => (await read()).isError).toBe(true);
  roots = [{ uri: `file://${second}` }];
  await connection.sendRootsChanged();
  await expect.poll(async () => (await read()).content).toEqual([{ type: 'text', text: 'in the second' }]);
});

test('memory and sequential-thinking keep a graph and optional arguments', async () => {
  const memory = await connect({
    ...program('@modelcontextprotocol/server-memory/dist/index.js'),
    env: { MEMORY_FILE_PATH: join(folder(), 'graph.json') },
  });
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote notes'] }];
  await memory.callTool('create_entities', { entities }, callOptions());
  const graph = await memory.callTool('read_graph', {}, callOptions());
  expect(graph.structuredContent).toEqual({ entities, relations: [] });
  const thinking = await connect(program('@modelcontextprotocol/server-sequential-thinking/dist/index.js'));
  const thought = { thought: 'one', thoughtNumber: 1, totalThoughts: 2, nextThoughtNeeded: true, isRevision: false };
  expect((await thinking.callTool('sequentialthinking', thought, callOptions())).isError).toBe(false);
});
