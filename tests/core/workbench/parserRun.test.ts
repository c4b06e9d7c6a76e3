/** Runs of the Parser: by the settings as a chat runs a reply, with questions call by call. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ChatDecision, ParserRunEvent } from '../../../src-core/contract/types.ts';
import { defineToolRegistry } from '../../../src-core/registry/defineTool.ts';
import { createWorkbench, type Workbench } from '../../../src-core/workbench.ts';
import { collectRun } from './runText.ts';

let dataDir: string;
let bench: Workbench;
const ran: unknown[] = [];

beforeEach(async () => {
  ran.length = 0;
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-parser-run-'));
  bench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    onError: (error) => {
      throw error;
    },
  });
  const level = { type: 'object', properties: { level: { type: 'integer', maximum: 100 } }, required: ['level'] };
  bench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          name: 'set',
          description: 'Sets',
          agentCallable: true,
          inputSchema: level,
          handler: ({ level }) => {
            ran.push(level);
            return level;
          },
        },
        {
          name: 'off',
          description: 'Off',
          agentCallable: true,
          danger: 'Cuts the power.',
          inputSchema: { type: 'object' },
          handler: () => ran.push('off'),
        },
        {
          name: 'reset',
          description: 'Resets',
          agentCallable: false,
          danger: 'Loses all settings.',
          inputSchema: { type: 'object' },
          handler: () => ran.push('reset'),
        },
        {
          name: 'wait',
          description: 'Waits',
          agentCallable: true,
          inputSchema: { type: 'object' },
          handler: (_, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
            }),
        },
      ],
    }),
  );
});
afterEach(async () => {
  await bench.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const block = (...fields: [string, string][]): string =>
  [
    '<<<[TOOL_REQUEST]>>>',
    ...fields.map(([key, value]) => `${key}:「始」${value}「末」`),
    '<<<[END_TOOL_REQUEST]>>>',
  ].join('\n');
const set = (level: string): string => block(['tool_name', 'lamp_set'], ['level', level]);

/** Runs a text, and answers each call that asks by its arguments. */
async function runAnswering(text: string, answer: (argsJson: string, name: string | undefined) => ChatDecision) {
  const asked: string[] = [];
  const run = await collectRun(bench.features.parser.runText({ text }), (call) => {
    if (call.state !== 'waiting' || asked.includes(call.id)) return;
    asked.push(call.id);
    bench.services.parser.decide({ callId: call.id, decision: answer(call.argsJson, call.qualifiedName) });
  });
  return { ...run, asked: asked.map((id) => run.calls.find((call) => call.id === id)) };
}

const config = (change: object) =>
  bench.services.settings.set({ toolCallConfig: { ...bench.services.settings.get().toolCallConfig, ...change } });

describe('a run of the Parser', () => {
  test('is refused while tool calling is off', async () => {
    await config({ enabled: false });
    await expect(collectRun(bench.features.parser.runText({ text: set('1') }))).rejects.toMatchObject({
      name: 'RequestError',
      message: 'Tool calling is off, so no call runs. Turn it on in Settings → Tool calling.',
    });
    expect(ran).toEqual([]);
  });

  test.each([{ mode: 'manual' }, { requireConfirmation: true }])('asks for each call alone: %j', async (change) => {
    await config(change);
    const run = await runAnswering(`${set('1')}${set('2')}${set('3')}`, (argsJson) =>
      argsJson === '{"level":2}' ? { action: 'refuse', reason: 'too dim' } : { action: 'approve' },
    );
    expect(ran).toEqual([1, 3]);
    expect(run.asked).toHaveLength(3);
    expect(run.calls.map(({ state }) => state)).toEqual(['done', 'refused', 'done']);
    expect(run.feedback).toContain('The user refused this call: too dim');
  });

  test('runs all calls of a text, also more than a reply of a chat may make', async () => {
    const text = Array.from({ length: 130 }, (_, level) => set(String(level % 100))).join('\n');
    const run = await collectRun(bench.features.parser.runText({ text }));
    expect([ran.length, run.calls.length]).toEqual([130, 130]);
    expect(run.feedback).not.toContain('more than');
  });

  test('sends the arguments that the user wrote instead, and says so to the model', async () => {
    await config({ requireConfirmation: true });
    const run = await runAnswering(set('1'), () => ({ action: 'approve', argsJson: '{"level":7}' }));
    expect(ran).toEqual([7]);
    expect(run.calls[0]).toMatchObject({ edited: true, askedArgsJson: '{"level":"1"}', argsJson: '{"level":7}' });
    expect(run.feedback).toContain('The user changed the arguments to {"level":7}');
  });

  test('asks once for the calls of a method that is approved for the run', async () => {
    await config({ requireConfirmation: true });
    const run = await runAnswering(`${set('1')}${set('2')}`, () => ({ action: 'approve', always: true }));
    expect(ran).toEqual([1, 2]);
    expect(run.asked).toHaveLength(1);
  });

  test('asks for a dangerous call, and not for one that is refused whatever its arguments are', async () => {
    const text = [['lamp_off'], ['lamp_reset'], ['gone_away'], ['lamp_of']].map(([name = '']) =>
      block(['tool_name', name]),
    );
    for (const change of [{}, { requireConfirmation: true }]) {
      await config(change);
      const run = await runAnswering(text.join('\n'), () => ({ action: 'approve' }));
      expect(run.asked.map((call) => call?.qualifiedName)).toEqual(['lamp_off']);
      expect(run.executionResults.map(({ error }) => error?.code)).toEqual([
        undefined,
        'not-agent-callable',
        'unknown-tool',
        'unknown-method',
      ]);
    }
    await config({ requireConfirmation: true, toolToggles: { lamp: false } });
    const off = await runAnswering(set('1'), () => ({ action: 'approve' }));
    expect([off.asked, off.executionResults[0]?.error?.code]).toEqual([[], 'tool-disabled']);
  });

  test('one call runs by the same limits as all of them, under its own index', async () => {
    await bench.services.settings.set({ toolTimeouts: { lamp_wait: 20 } });
    const text = `${set('1')}${block(['tool_name', 'lamp_wait'])}`;
    const timedOut = { error: { code: 'timeout', details: { timeoutMs: 20 } } };
    const one = await collectRun(bench.features.parser.runText({ text, call: 1 }));
    expect(one.calls[1]?.result).toMatchObject(timedOut);
    expect(ran).toEqual([]);
    const all = await collectRun(bench.features.parser.runText({ text }));
    expect(all.calls[1]?.result).toMatchObject(timedOut);
    await expect(collectRun(bench.features.parser.runText({ text, call: 2 }))).rejects.toMatchObject({ field: 'call' });
  });

  test('a call of a serial block runs alone', async () => {
    const text = block(
      ['tool_name', 'lamp'],
      ['command1', 'set'],
      ['level1', '4'],
      ['command2', 'set'],
      ['level2', '5'],
    );
    await collectRun(bench.features.parser.runText({ text, call: 1 }));
    expect(ran).toEqual([5]);
  });

  test('ending it cancels what runs and what waits', async () => {
    await config({ requireConfirmation: true });
    const events: ParserRunEvent[] = [];
    for await (const event of bench.features.parser.runText({ text: set('1') })) {
      events.push(event);
      break;
    }
    const [event] = events;
    if (event?.kind !== 'call') throw new Error('no call');
    expect(event.call.state).toBe('waiting');
    const decision = { action: 'approve' } as const;
    expect(() => bench.services.parser.decide({ callId: event.call.id, decision })).toThrow('no longer waits');
    expect(ran).toEqual([]);
  });
});

describe('what is fed back', () => {
  test('names the method in full and ends a made-up id with the number of the call', async () => {
    const text = `${block(['tool_name', 'lamp'], ['command', 'set'], ['level', '1'])}\n${block(
      ['tool_name', 'lamp'],
      ['command', 'set'],
      ['level', '2'],
    )}\n${block(['request_id', 'mine'], ['tool_name', 'lamp'], ['command', 'gone'])}`;
    const { feedback } = await collectRun(bench.features.parser.runText({ text }));
    const names = [...feedback.matchAll(/tool_name:「始」(.*?)「末」/g)].map(([, name]) => name);
    expect(names).toEqual(['lamp_set', 'lamp_set', 'lamp_gone']);
    const ids = [...feedback.matchAll(/request_id:「始」(.*?)「末」/g)].map(([, id]) => id);
    expect(ids).toEqual([expect.stringMatching(/^req_.*_1$/), expect.stringMatching(/^req_.*_2$/), 'mine']);
  });
});
