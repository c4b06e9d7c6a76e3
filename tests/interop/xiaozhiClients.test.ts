/**
 * Clients of the xiaozhi protocol that share no code with us: the firmware's way by hand, and py-xiaozhi's way on the
 * `websockets` package. TOOLWIRE_PYTHON names another interpreter than python3.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ToolError } from '../../src-core/base/errors.ts';
import { invokeOptions, openHub } from '../core/features/devices/support/openHub.ts';

const runsOn = (interpreter: string, code: string): boolean => spawnSync(interpreter, ['-c', code]).status === 0;
// Debian's packages are Debian's python's, which need not be the first in PATH.
const pythons = [process.env['TOOLWIRE_PYTHON'] ?? 'python3', '/usr/bin/python3'];
const python = pythons.find((each) => runsOn(each, 'import websockets')) ?? pythons[0] ?? 'python3';
const runs = (code: string): boolean => runsOn(python, code);
const hasPython = runs('');
const hasWebsockets = hasPython && runs('import websockets');

/** Starts a script; its complaints end up in `complaints`, and it does not outlive the test. */
function start(script: string, url: string): { complaints: string[]; ended: Promise<number | null> } {
  const child = spawn(python, [fileURLToPath(new URL(script, import.meta.url)), url], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const complaints: string[] = [];
  child.stderr?.on('data', (data: Buffer) => complaints.push(data.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(() => void child.kill());
  return { complaints, ended };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as ToolError,
  );

describe(hasPython ? 'a board by hand' : `a board by hand (not run: there is no ${python})`, () => {
  test.runIf(hasPython)(
    'asks OTA, connects, lists, is called in fragments, and disconnects without a close frame',
    async () => {
      // As from another machine: with the token that OTA gave it, and approved by hand.
      const { hub, otaUrl, registry, device } = await openHub({ isLocal: () => false });
      const { complaints, ended } = start('xiaozhiBoard.py', otaUrl);
      hub.approve((await device(({ state }) => state === 'approval')).id);
      const source = await registry();
      expect(await device(() => true)).toMatchObject({
        id: '02:00:00:11:22:33',
        name: 'raw-board',
        firmware: '2.4.2',
        toolCount: 2,
      });
      const { value } = await source.invoke('self.audio_speaker.set_volume', { volume: 30 }, invokeOptions());
      expect(JSON.parse(String(value))).toEqual({ volume: 30 });
      expect((await failure(source.invoke('no"such', {}, invokeOptions())))?.code).toBe('protocol-error');
      expect((await device(() => true)).counters.binaryIn).toBe(1);
      const rebooted = await source.invoke('self.reboot', {}, invokeOptions());
      expect(rebooted.value).toMatch(/^raw-board disconnected .* as this call requires/);
      expect([await ended, complaints]).toEqual([0, []]);
      await device(({ state }) => state === 'closed');
    },
  );
});

describe(
  hasWebsockets ? 'py-xiaozhi' : `py-xiaozhi (not run: ${python} has no module websockets; Debian: python3-websockets)`,
  () => {
    test.runIf(hasWebsockets)(
      'lists three pages, answers out of order, fails in its two ways, and leaves with 1000',
      async () => {
        const { wsUrl, registry, device } = await openHub();
        const { complaints, ended } = start('xiaozhiPython.py', wsUrl);
        const source = await registry();
        expect(await device(() => true)).toMatchObject({ name: 'py-xiaozhi', firmware: '2.1.1', toolCount: 19 });
        // tool.0 answers only after tool.1 was called: both are out at once.
        const calls = ['tool.0', 'tool.1'].map(async (name) => (await source.invoke(name, {}, invokeOptions())).value);
        expect(await Promise.all(calls)).toEqual(['tool.0', 'tool.1']);
        expect(await source.invoke('tool.2', {}, invokeOptions())).toMatchObject({
          isError: true,
          value: 'Missing required argument: volume',
        });
        expect((await failure(source.invoke('nothing', {}, invokeOptions())))?.info).toMatchObject({
          code: 'tool-error',
          details: { rpcCode: -32603 },
        });
        expect((await failure(source.invoke('leave', {}, invokeOptions())))?.info).toMatchObject({
          code: 'disconnected',
          details: { code: 1000 },
        });
        expect([await ended, complaints]).toEqual([0, []]);
      },
    );

    test.runIf(hasWebsockets)('ends cleanly when the hub closes', async () => {
      const { wsUrl, registry, hub } = await openHub();
      const { complaints, ended } = start('xiaozhiPython.py', wsUrl);
      await registry();
      await hub.close();
      expect([await ended, complaints]).toEqual([0, []]);
    });
  },
);

describe('the WebSocket of a browser, as Node has it', () => {
  test('connects with its credentials in the query', async () => {
    const { wsUrl, registry } = await openHub();
    const socket = new globalThis.WebSocket(`${wsUrl}?device-id=02:00:00:00:00:77`);
    onTestFinished(() => socket.close());
    socket.addEventListener('open', () => socket.send('{"type":"hello","features":{"mcp":true},"device_name":"page"}'));
    socket.addEventListener('message', ({ data }) => {
      const { payload } = JSON.parse(String(data)) as { payload?: { id?: number; method: string } };
      if (payload?.id === undefined) return;
      const result = {
        initialize: { serverInfo: { name: 'digital-human', version: '1' } },
        'tools/list': { tools: [{ name: 'wave', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'waved' }] },
      }[payload.method];
      socket.send(JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', id: payload.id, result } }));
    });
    const source = await registry();
    expect([source.id, source.name]).toEqual(['digital-human-000077', 'page']);
    expect((await source.invoke('wave', {}, invokeOptions())).value).toBe('waved');
  });
});
