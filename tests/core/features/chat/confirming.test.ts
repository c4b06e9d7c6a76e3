import { describe, expect, test } from 'vitest';

import { readToolResults } from '../../protocols/vcp/readToolResults.ts';
import { makeTool } from '../../registry/testTool.ts';
import { openChatBench } from './chatBench.ts';
import { block, createTestModel } from './testModel.ts';
import type { TestStep } from './testModel.ts';

const volume = { properties: { volume: { type: 'integer', maximum: 100 } }, required: ['volume'] };

function bench(steps: TestStep[]) {
  const sent: unknown[] = [];
  const model = createTestModel(steps);
  const keep =
    (name: string) =>
    (args: object): string => {
      sent.push([name, { ...args }]);
      return name;
    };
  const opened = openChatBench({
    models: { test: model },
    methods: [
      { name: 'set', inputSchema: volume, handler: keep('set') },
      { name: 'get', handler: keep('get') },
      { name: 'reboot', handler: keep('reboot'), danger: 'The lab restarts.' },
    ],
  });
  const states = (chat: string): string[] => opened.calls(chat).map(({ state }) => state);
  const told = (request: number) => readToolResults(model.requests[request]!.messages.at(-1)!.content);
  return { ...opened, model, sent, states, told };
}

const setTo = (value: number): string => block('lab_set', { volume: String(value) });

describe('a call that waits', () => {
  test('in manual mode every call does, all at once, and says what it would send', async () => {
    const lab = bench([{ text: `${setTo(5)}\n${block('lab_get')}` }]);
    const chat = lab.chat({ mode: 'manual' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat, 2);
    expect(lab.calls(chat)).toMatchObject([
      { state: 'waiting', askedArgsJson: '{"volume":"5"}', argsJson: '{"volume":5}' },
      { state: 'waiting', argsJson: '{}' },
    ]);
    expect(lab.service.list()).toMatchObject([{ running: true, waiting: 2 }]);
    expect(lab.sent).toEqual([]);
    const [first, second] = lab.calls(chat);
    // The second may be decided first; it runs in its turn.
    lab.service.decide({ sessionId: chat, callId: second!.id, decision: { action: 'approve' } });
    expect(lab.states(chat)).toEqual(['waiting', 'approved']);
    lab.service.decide({ sessionId: chat, callId: first!.id, decision: { action: 'approve' } });
    await lab.idle(chat);
    expect(lab.calls(chat)).toMatchObject([
      { state: 'done', approvedBy: 'person' },
      { state: 'done', approvedBy: 'person' },
    ]);
    expect(lab.sent).toEqual([
      ['set', { volume: 5 }],
      ['get', {}],
    ]);
    expect(lab.service.list()).toMatchObject([{ running: false, waiting: 0 }]);
  });

  test('runs with the edited arguments, and the model is told', async () => {
    const lab = bench([{ text: setTo(900) }]);
    const chat = lab.chat({ config: { requireConfirmation: true } });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat);
    const [call] = lab.calls(chat);
    expect(call!.problem).toMatchObject({ code: 'invalid-arguments', issues: [{ parameter: 'volume' }] });
    const decide = (argsJson: string): void =>
      lab.service.decide({ sessionId: chat, callId: call!.id, decision: { action: 'approve', argsJson } });
    expect(() => decide('{"volume": 5')).toThrow('The arguments are not valid JSON');
    expect(() => decide('{"volume": 500}')).toThrow(/volume: .*100/);
    expect(() => decide('{}')).toThrow(/volume/);
    expect(lab.states(chat)).toEqual(['waiting']);
    decide('{"volume": 5}');
    await lab.idle(chat);
    expect(lab.sent).toEqual([['set', { volume: 5 }]]);
    expect(lab.calls(chat)).toMatchObject([
      {
        state: 'done',
        edited: true,
        askedArgsJson: '{"volume":"900"}',
        argsJson: '{"volume":5}',
        approvedBy: 'person',
      },
    ]);
    expect(lab.calls(chat)[0]!.problem).toBeUndefined();
    expect(lab.told(1)[0]!.result).toBe('(The user changed the arguments to {"volume":5} before the call ran.)\nset');
    expect(await lab.store.history.list({ limit: 1 })).toMatchObject([{ argsJson: '{"volume":5}', origin: 'model' }]);
  });

  test('unchanged arguments do not count as edited', async () => {
    const lab = bench([{ text: setTo(90) }]);
    const chat = lab.chat({ mode: 'manual' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat);
    const [call] = lab.calls(chat);
    const decision = { action: 'approve', argsJson: '{ "volume": 90 }' } as const;
    lab.service.decide({ sessionId: chat, callId: call!.id, decision });
    await lab.idle(chat);
    expect(lab.calls(chat)[0]!.edited).toBeUndefined();
    expect(lab.told(1)[0]!.result).toBe('set');
  });

  test('that is refused tells the model the reason, and the others go on', async () => {
    const lab = bench([{ text: `${setTo(5)}\n${setTo(6)}` }]);
    const chat = lab.chat({ mode: 'manual' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat, 2);
    const [first, second] = lab.calls(chat);
    lab.service.decide({ sessionId: chat, callId: second!.id, decision: { action: 'refuse', reason: 'too loud' } });
    expect(lab.states(chat)).toEqual(['waiting', 'refused']);
    expect(() => lab.service.decide({ sessionId: chat, callId: second!.id, decision: { action: 'approve' } })).toThrow(
      'This call no longer waits for a decision.',
    );
    lab.service.decide({ sessionId: chat, callId: first!.id, decision: { action: 'refuse' } });
    await lab.idle(chat);
    expect(lab.told(1)).toMatchObject([
      { status: 'error', result: 'The user refused this call.' },
      { status: 'error', result: 'The user refused this call: too loud' },
    ]);
    expect(lab.calls(chat)).toMatchObject([
      { state: 'refused', result: { error: { code: 'not-authorized' } } },
      { state: 'refused', result: { error: { code: 'not-authorized' } } },
    ]);
    expect(lab.sent).toEqual([]);
  });

  test('of the same method may be approved for the rest of the chat, until that is taken back', async () => {
    const lab = bench([
      { text: `${setTo(1)}\n${setTo(2)}\n${block('lab_get')}` },
      { text: setTo(3) },
      {},
      { text: setTo(4) },
    ]);
    const chat = lab.chat({ mode: 'manual' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat, 3);
    const [first] = lab.calls(chat);
    lab.service.decide({ sessionId: chat, callId: first!.id, decision: { action: 'approve', always: true } });
    expect(lab.states(chat)).toEqual(['approved', 'approved', 'waiting']);
    await lab.until(() => lab.sent.length === 2);
    const get = lab.calls(chat)[2]!;
    lab.service.decide({ sessionId: chat, callId: get.id, decision: { action: 'approve' } });
    await lab.idle(chat);
    expect(lab.calls(chat).map(({ approvedBy }) => approvedBy)).toEqual(['person', 'always', 'person', 'always']);
    expect(lab.service.list()[0]!.approved).toEqual(['lab_set']);
    lab.service.withdrawApproval({ sessionId: chat, method: 'lab_set' });
    lab.service.send({ sessionId: chat, text: 'Again' });
    await lab.waiting(chat);
    expect(lab.sent).toHaveLength(4);
  });

  test('with an unknown name fails without asking', async () => {
    const lab = bench([{ text: block('lamp_on', { a: '1' }) }, { text: 'done' }]);
    const chat = lab.chat({ mode: 'manual' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.idle(chat);
    expect(lab.calls(chat)).toMatchObject([{ state: 'done', result: { error: { code: 'unknown-tool' } } }]);
  });
});

describe('a dangerous call', () => {
  test('waits in auto mode too, says why, and asks each time', async () => {
    const lab = bench([{ text: `${block('lab_get')}\n${block('lab_reboot')}` }, { text: block('lab_reboot') }]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat);
    const reboot = lab.calls(chat)[1]!;
    expect(reboot).toMatchObject({ state: 'waiting', danger: 'The lab restarts.' });
    expect(() =>
      lab.service.decide({ sessionId: chat, callId: reboot.id, decision: { action: 'approve', always: true } }),
    ).toThrow('This call asks every time: The lab restarts. Approve it alone.');
    lab.service.decide({ sessionId: chat, callId: reboot.id, decision: { action: 'approve' } });
    await lab.waiting(chat);
    lab.service.decide({ sessionId: chat, callId: lab.calls(chat)[2]!.id, decision: { action: 'refuse' } });
    await lab.idle(chat);
    expect(lab.sent).toEqual([
      ['get', {}],
      ['reboot', {}],
    ]);
    expect(lab.calls(chat).map(({ approvedBy }) => approvedBy)).toEqual(['auto', 'person', undefined]);
  });

  test('may be one that the user’s own list names', async () => {
    const lab = bench([{ text: `${block('lab_get')}\n${setTo(1)}` }]);
    lab.policy.dangerousTools = ['lab_g*'];
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat);
    const [get] = lab.calls(chat);
    expect(get!.danger).toContain('on your list of tools that ask first');
    lab.service.decide({ sessionId: chat, callId: get!.id, decision: { action: 'approve' } });
    await lab.idle(chat);
    expect(lab.sent).toHaveLength(2);
  });

  test('may become one while it waits for its turn', async () => {
    const lab = bench([{ text: `${block('slow_go')}\n${block('late_go')}` }]);
    const gate = Promise.withResolvers<undefined>();
    lab.toolRegistryManager.register(makeTool('slow', [{ name: 'go', handler: () => gate.promise }]));
    lab.toolRegistryManager.register(makeTool('late', [{ name: 'go' }]));
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.states(chat)[0] === 'running');
    lab.toolRegistryManager.unregister('late');
    lab.toolRegistryManager.register(makeTool('late', [{ name: 'go', danger: 'It bites.' }]));
    gate.resolve(undefined);
    await lab.waiting(chat);
    expect(lab.calls(chat)[1]).toMatchObject({ state: 'waiting', danger: 'It bites.' });
    const decision = { action: 'refuse', reason: 'no' } as const;
    lab.service.decide({ sessionId: chat, callId: lab.calls(chat)[1]!.id, decision });
    await lab.idle(chat);
    expect(lab.states(chat)).toEqual(['done', 'refused']);
  });

  test('does not ask if it cannot run anyway', async () => {
    const lab = bench([{ text: block('lab_reboot') }]);
    const chat = lab.chat({ config: { toolToggles: { lab: false } } });
    await lab.turn(chat);
    expect(lab.calls(chat)).toMatchObject([{ state: 'done', result: { error: { code: 'tool-disabled' } } }]);
  });
});

test('refuses a decision without a running turn, or about a call of another chat', async () => {
  const lab = bench([{ text: setTo(1) }]);
  const [one, two] = [lab.chat({ mode: 'manual' }), lab.chat()];
  lab.service.send({ sessionId: one, text: 'Go' });
  await lab.waiting(one);
  const [call] = lab.calls(one);
  const decision = { action: 'approve' } as const;
  expect(() => lab.service.decide({ sessionId: two, callId: call!.id, decision })).toThrow('no longer waits');
  expect(() => lab.service.decide({ sessionId: 'gone', callId: call!.id, decision })).toThrow(
    'This chat does not exist',
  );
  expect(lab.states(one)).toEqual(['waiting']);
});
