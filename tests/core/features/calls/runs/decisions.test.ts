/** What a decision on a call that asks applies to, if the tool or the settings change while it asks. */
import { expect, test, vi } from 'vitest';

import type { CallRunInput, JsonObject } from '../../../../../src-core/contract/types.ts';
import { createEventBus } from '../../../../../src-core/features/context.ts';
import { openRuns } from '../../../../../src-core/features/calls/runs/runsService.ts';
import { makeTool } from '../../../registry/testTool.ts';
import { openWorkbench } from '../../../workbench/openWorkbench.ts';
import { handClock } from './handClock.ts';

type Stream = AsyncIterable<object>;

/** Runs over a real workbench, on a clock that the test moves; `given` has what `lamp_off` was called with. */
async function bench() {
  const { services, features, toolRegistryManager } = await openWorkbench();
  const clock = handClock();
  const { settings } = services;
  const runs = openRuns({ ...features, clock, events: createEventBus() });
  const given: JsonObject[] = [];
  const room = { type: 'integer' };
  const lamp = (danger?: string) =>
    makeTool('lamp', [
      {
        name: 'off',
        inputSchema: { type: 'object', properties: { room } },
        handler: (args: JsonObject) => given.push(args),
        ...(danger !== undefined && { danger }),
      },
    ]);
  let remove = toolRegistryManager.register(lamp('Cuts the power.'));
  return {
    runs,
    clock,
    given,
    services,
    toolRegistryManager,
    /** Another tool of the same name takes the place of the lamp. */
    replace(danger?: string): void {
      remove();
      remove = toolRegistryManager.register(lamp(danger));
    },
    /** The same tool has another schema, as that of a device that lists its tools again. */
    changeSchema: () => Object.assign(room, { description: 'Every room of the house' }),
    requireConfirmation: (requireConfirmation: boolean) =>
      settings.set({ toolCallConfig: { ...settings.get().toolCallConfig, requireConfirmation } }),
  };
}

const input = { callId: 'c', toolName: 'lamp_off', argsJson: '{"room": 1}', origin: 'executor' } satisfies CallRunInput;
const { callId: seriesId, ...eachCall } = input;
const series = { ...eachCall, seriesId, count: 3, parallel: 1 };

/** Takes in a stream, and resolves once it asks. */
async function untilAsked(stream: Stream): Promise<{ events: object[]; end: Promise<void> }> {
  const events: object[] = [];
  const end = (async () => {
    for await (const event of stream) events.push(event);
  })();
  await vi.waitUntil(() => events.some((event) => 'question' in event));
  return { events, end };
}

type Bench = Awaited<ReturnType<typeof bench>>;
const changes: [string, (bench: Bench) => unknown][] = [
  ['the tool no longer asks', ({ replace }) => replace()],
  ['the tool asks for another reason', ({ replace }) => replace('Burns the lamp out.')],
  ['the tool has another schema', ({ changeSchema }) => changeSchema()],
];
const noes: [string, (bench: Bench) => unknown][] = [
  ['refused', ({ runs }) => runs.service.decide({ callId: 'c', allowed: false })],
  ['cancelled', ({ runs }) => runs.calls.cancel({ callId: 'c' })],
];

test.each(changes.flatMap(([change, makeChange]) => noes.map(([no, say]) => [no, change, say, makeChange] as const)))(
  'a call that is %s does not run, though %s by then',
  async (_no, _change, say, makeChange) => {
    const opened = await bench();
    const { events, end } = await untilAsked(opened.runs.calls.executeInPieces(input));
    await makeChange(opened);
    await say(opened);
    await end;
    expect(opened.given).toEqual([]);
    expect(events.slice(1)).toMatchObject([
      { allowed: false, at: expect.any(Number) as number },
      { result: { status: 'error', error: { code: 'not-authorized' } } },
      { over: true },
    ]);
    expect((await opened.services.calls.get({ callId: 'c' })).result?.error?.code).toBe('not-authorized');
  },
);

test('a call that is refused does not run, though calls need not be confirmed by then', async () => {
  const opened = await bench();
  opened.replace();
  await opened.requireConfirmation(true);
  const { events, end } = await untilAsked(opened.runs.calls.executeInPieces(input));
  await opened.requireConfirmation(false);
  opened.runs.service.decide({ callId: 'c', allowed: false });
  await end;
  expect(opened.given).toEqual([]);
  expect(events.at(-2)).toMatchObject({ result: { error: { code: 'not-authorized' } } });
});

test('an unanswered call does not run, even if its tool no longer asks', async () => {
  const { runs, replace, clock, given, services } = await bench();
  const leaving = new AbortController();
  const { end } = await untilAsked(runs.calls.executeInPieces(input, leaving.signal));
  leaving.abort();
  await end;
  await vi.waitUntil(() => runs.service.questions().length === 1);
  replace();
  clock.move(600_000);
  const followed: object[] = [];
  for await (const event of runs.calls.follow({ callId: 'c' })) followed.push(event);
  expect(given).toEqual([]);
  expect(followed.at(-2)).toMatchObject({
    result: { error: { code: 'not-authorized', message: expect.stringContaining('within 600 s') as string } },
  });
  expect((await services.calls.get({ callId: 'c' })).result?.error?.code).toBe('not-authorized');
});

test('an unanswered call of a text ends without a decision', async () => {
  const { runs, clock, given } = await bench();
  const text = [
    '<<<[TOOL_REQUEST]>>>',
    'tool_name:「始」lamp_off「末」',
    'room:「始」1「末」',
    '<<<[END_TOOL_REQUEST]>>>',
  ].join('\n');
  const leaving = new AbortController();
  const reading = (async () => {
    for await (const event of runs.parser.run({ runId: 'r', text }, leaving.signal)) void event;
  })();
  await vi.waitUntil(() => runs.asking().length === 1);
  leaving.abort();
  await reading;
  clock.move(600_000);
  const followed: object[] = [];
  for await (const event of runs.parser.follow({ runId: 'r' })) followed.push(event);
  expect(given).toEqual([]);
  const message =
    'The call was not run, because the user made no decision. The question was not answered within 600 s.';
  expect(followed).toContainEqual(
    expect.objectContaining({
      kind: 'call',
      call: expect.objectContaining({
        state: 'refused',
        result: expect.objectContaining({ error: { code: 'not-authorized', message } }) as object,
      }) as object,
    }),
  );
});

test('a series that is refused makes no call, though the tool no longer asks by then', async () => {
  const { runs, replace, given, services } = await bench();
  const { events, end } = await untilAsked(runs.calls.repeat(series));
  replace();
  runs.service.decide({ callId: 'c', allowed: false });
  await end;
  expect(given).toEqual([]);
  expect(events.slice(1)).toContainEqual({ allowed: false, at: expect.any(Number) as number });
  expect((await services.calls.history({ limit: 9 })).map(({ result }) => result?.error?.code)).toEqual([
    'not-authorized',
  ]);
});

test.each(changes)('an approval does not apply to another tool of the same name: %s', async (_change, makeChange) => {
  const opened = await bench();
  const { runs, given, services } = opened;
  const { events, end } = await untilAsked(runs.calls.executeInPieces(input));
  await makeChange(opened);
  runs.service.decide({ callId: 'c', allowed: true });
  await end;
  expect(given).toEqual([]);
  const refusal = {
    code: 'tool-changed',
    message: expect.stringContaining('"lamp" was changed or replaced') as string,
  };
  expect(events.at(-2)).toMatchObject({ result: { status: 'error', error: refusal } });
  expect((await services.calls.get({ callId: 'c' })).result?.error).toMatchObject(refusal);
});

test('an approved series ends once another tool has the same name', async () => {
  const { runs, given, replace } = await bench();
  const { events, end } = await untilAsked(runs.calls.repeat(series));
  replace();
  runs.service.decide({ callId: 'c', allowed: true });
  await end;
  expect(given).toEqual([]);
  expect(events.at(-2)).toMatchObject({ ended: 1, done: true, stopped: { code: 'tool-changed' } });
});

test('an approval applies to the tool that asked, with the arguments of the decision', async () => {
  const { runs, given } = await bench();
  const { events, end } = await untilAsked(runs.calls.executeInPieces(input));
  runs.service.decide({ callId: 'c', allowed: true, argsJson: '{"room": 2}' });
  await end;
  expect(given).toEqual([{ room: 2 }]);
  expect(events.at(-2)).toMatchObject({ result: { status: 'success' } });
  const repeated = await untilAsked(runs.calls.repeat({ ...series, seriesId: 's' }));
  runs.service.decide({ callId: 's', allowed: true });
  await repeated.end;
  expect(repeated.events.at(-2)).toMatchObject({ succeeded: 3, done: true });
});

test('an approved call whose tool is gone says that the tool is gone', async () => {
  const { runs, given, toolRegistryManager } = await bench();
  const { events, end } = await untilAsked(runs.calls.executeInPieces(input));
  toolRegistryManager.unregister('lamp');
  runs.service.decide({ callId: 'c', allowed: true });
  await end;
  expect(given).toEqual([]);
  expect(events.at(-2)).toMatchObject({ result: { error: { code: 'unknown-tool' } } });
});

test('an unchecked call says so in its question, and its new arguments are not checked either', async () => {
  const { runs, given } = await bench();
  const leaving = new AbortController();
  const unchecked = { ...input, argsJson: '{"room": "kitchen"}', rules: 'unchecked' as const };
  const { end } = await untilAsked(runs.calls.executeInPieces(unchecked, leaving.signal));
  leaving.abort();
  await end;
  await vi.waitUntil(() => runs.service.questions().length === 1);
  expect(runs.service.questions()).toMatchObject([{ callId: 'c', rules: 'unchecked' }]);
  expect(() => runs.service.decide({ callId: 'c', allowed: true, argsJson: '[1]' })).toThrow('object');
  runs.service.decide({ callId: 'c', allowed: true, argsJson: '{"room": "cellar"}' });
  const followed: object[] = [];
  for await (const event of runs.calls.follow({ callId: 'c' })) followed.push(event);
  expect(followed.at(-2)).toMatchObject({ result: { status: 'success' } });
  expect(given).toEqual([{ room: 'cellar' }]);
});

test("new arguments of a call by a model's rules are read as a model's text", async () => {
  const { runs, given } = await bench();
  const { events, end } = await untilAsked(runs.calls.executeInPieces({ ...input, rules: 'model' }));
  expect(() => runs.service.decide({ callId: 'c', allowed: true, argsJson: '{"room": "cellar"}' })).toThrow('room');
  runs.service.decide({ callId: 'c', allowed: true, argsJson: '{"room": "2"}' });
  await end;
  expect(events.at(-2)).toMatchObject({ result: { status: 'success' } });
  expect(given).toEqual([{ room: 2 }]);
});
