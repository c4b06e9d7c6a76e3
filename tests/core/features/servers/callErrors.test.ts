/** The facts of a failed call of an MCP server: bounded, and without the secrets of its configuration. */
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';

import type { ToolErrorInfo } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, nodeServer, untilState } from './support.ts';

const raw = join(process.cwd(), 'tests/fixtures/mcp/rawServer.mjs');
const secret = 'swordfish-7';
/** A cut after 4,096 characters is within one of these. */
const long = { word: secret, texts: '😀'.repeat(5_000) };

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});

async function failure(
  config: Parameters<typeof addServer>[1],
  tool: string,
  options = {},
): Promise<ToolErrorInfo | undefined> {
  await addServer(workbench, config);
  await untilState(workbench, 'ready');
  const call = { toolName: `mcp-lab_${tool}`, argsJson: '{}', callId: 'c', origin: 'executor', ...options } as const;
  return (await workbench.services.calls.execute(call)).error;
}

it.each([
  ['data', { error: { code: -32_000, message: 'no', data: long } }],
  ['frame', { content: 7, ...long }],
])('%s has at most 4,096 characters, is well-formed, and has no secret', async (name, answer) => {
  const { url } = await serveLegacy(({ method }) => (method === 'tools/call' ? answer : undefined));
  const headers = [{ name: 'X-Lab-Pass', value: secret }];
  const error = await failure({ name: 'lab', type: 'http', url, headers }, 'echo');
  const text = String(error?.details?.[name]);
  expect(text).toContain('"word":"***"');
  expect(text.length).toBe(4_096);
  expect(text.isWellFormed()).toBe(true);
  expect(JSON.stringify(error)).not.toContain(secret);
});

it('a timeout names an answer with an unknown id, which is a failed frame of the call', async () => {
  const error = await failure(nodeServer('lab', [raw, 'wrong-id']), 'echo', { timeoutMs: 200 });
  expect(error?.code).toBe('timeout');
  expect(error?.message).toContain('Meanwhile a frame arrived that matches no request: its id is "nope-10".');
  expect(error?.details).toMatchObject({ unmatchedFrames: 1, lastUnmatched: 'its id is "nope-10"' });
  const { frames, servers } = workbench.services;
  const [server] = await servers.list(undefined);
  const { rows } = await frames.page({ source: 'mcp', connection: server!.id, limit: 100 });
  const [answer, ...others] = rows.filter(({ failed, callId }) => failed === true && callId === 'c');
  expect([answer?.summary, others]).toEqual(['answer with an unknown id', []]);
  expect(rows.filter(({ kind, summary }) => kind === 'note' && summary.includes('unknown'))).toEqual([]);
});

it('stderr has the last 20 lines, each with at most 4,000 characters and without a secret', async () => {
  const env = [{ name: 'LAB_WORD', value: secret }];
  const error = await failure(nodeServer('lab', [raw, 'dies-in-call'], env), 'echo');
  const lines = error?.details?.['stderr'] as string[];
  expect(lines).toHaveLength(20);
  expect(lines.at(-1)).toBe('out of memory');
  expect(lines[0]).toMatch(/^line 11: \*\*\* x+$/);
  expect(lines[18]).toMatch(/^line 29: \*\*\* x+$/);
  expect(lines[18]).toHaveLength(4_000);
  expect(JSON.stringify(error)).not.toContain(secret);
});
