import { describe, expect, test } from 'vitest';

import { ChatModelError } from '../../../../src-core/features/models/chatModel.ts';
import { readToolResults } from '../../protocols/vcp/readToolResults.ts';
import { makeTool } from '../../registry/testTool.ts';
import { openLab } from './labBench.ts';
import { block } from './testModel.ts';
import type { TestStep } from './testModel.ts';

describe('limits', () => {
  test('maxIterations counts the requests to the model; the calls of the last one still run', async () => {
    let at = 0;
    const forever: TestStep = () => ({ text: block('lab_set', { volume: String((at += 1)) }) });
    const lab = openLab([forever, forever, forever, forever]);
    const chat = lab.chat({ config: { maxIterations: 2 } });
    const steps = await lab.turn(chat);
    expect(steps.map(({ stoppedBecause }) => stoppedBecause)).toEqual([undefined, 'max-iterations']);
    expect(lab.sent).toEqual([{ volume: 1 }, { volume: 2 }]);
    lab.service.resume({ sessionId: chat });
    await lab.idle(chat);
    expect(lab.model.requests).toHaveLength(4);
    expect(readToolResults(lab.model.requests[2]!.messages.at(-1)!.content)).toHaveLength(1);
  });

  test('the same call again and again is refused, then ends the turn', async () => {
    const same: TestStep = { text: block('lab_set', { volume: '5' }) };
    const lab = openLab([same, same, same, same, same, same, same]);
    const chat = lab.chat();
    const steps = await lab.turn(chat);
    expect(lab.calls(chat).map(({ result }) => result?.error?.code ?? 'ok')).toEqual([
      ...['ok', 'ok', 'ok', 'repeated-call', 'repeated-call'],
    ]);
    expect(lab.sent).toHaveLength(3);
    expect(steps.at(-1)!.stoppedBecause).toBe('repeated');
    const told = readToolResults(lab.model.requests[4]!.messages.at(-1)!.content);
    expect(told[0]!.result).toContain('"lab_set" was called 3 times in this turn with the same arguments');
    // The next turn counts from nothing.
    await lab.turn(chat, 'Again');
    expect(lab.sent).toHaveLength(5);
  });

  test('a repeat inside one block or reply counts, other arguments do not, however they are written', async () => {
    const serial = block('lab', { command1: 'set', volume1: '5', command2: 'set', volume2: '5', command3: 'get' });
    const native = [
      { id: 'a', name: 'lab_set', argumentsText: '{"volume":5}' },
      { id: 'b', name: 'lab_set', argumentsText: '{ "volume": 5 }' },
      { id: 'c', name: 'lab_set', argumentsText: '{"volume":6}' },
    ];
    const lab = openLab([{ text: serial }, { toolCalls: native }]);
    const chat = lab.chat({ config: { maxRepeats: 0 } });
    await lab.turn(chat);
    expect(lab.calls(chat).map(({ result }) => result?.error?.code ?? 'ok')).toEqual([
      ...['ok', 'repeated-call', 'ok', 'repeated-call', 'repeated-call', 'ok'],
    ]);
    expect(lab.sent).toEqual([{ volume: 5 }, { volume: 6 }]);
  });

  test('broken arguments again and again end the turn, too', async () => {
    const broken: TestStep = { toolCalls: [{ id: 'a', name: 'lab_set', argumentsText: '{' }] };
    const lab = openLab([broken, broken, broken, broken]);
    const steps = await lab.turn(lab.chat({ protocol: 'native', config: { maxRepeats: 1 } }));
    expect(steps.map(({ stoppedBecause }) => stoppedBecause)).toEqual([undefined, undefined, undefined, 'repeated']);
  });

  test('of very many calls in one reply the first hundred run, and both sides are told', async () => {
    const many = Array.from({ length: 130 }, (_, at) => block('lab_set', { volume: String(at % 100), at: String(at) }));
    const lab = openLab([{ text: many.join('\n') }]);
    const [first] = await lab.turn(lab.chat());
    expect(first!.calls).toHaveLength(100);
    expect(first!.skippedCalls).toBe(30);
    expect(lab.model.requests[1]!.messages.at(-1)!.content).toMatch(/\(30 more calls of this reply .*not run\.\)$/);
  });

  test('applies to native calls, too', async () => {
    const many = Array.from({ length: 101 }, (_, at) => ({
      id: `c${at}`,
      name: 'lab_get',
      argumentsText: `{"a":${at}}`,
    }));
    const lab = openLab([{ toolCalls: many }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(first).toMatchObject({ skippedCalls: 1 });
    const { messages } = lab.model.requests[1]!;
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(100);
    expect(messages.at(-1)!.content).toContain('(1 more calls of this reply');
  });

  test('a long result is cut for the model and for the chat alike', async () => {
    const lab = openLab([{ text: block('big_get') }]);
    lab.toolRegistryManager.register(makeTool('big', [{ name: 'get', handler: () => 'é'.repeat(200_000) }]));
    const [first] = await lab.turn(lab.chat());
    const { result } = first!.calls[0]!.result!;
    expect(result).toMatch(/^é+… \(68,928 more characters were cut off\)$/);
    expect(readToolResults(lab.model.requests[1]!.messages.at(-1)!.content)[0]!.result).toBe(result);
  });

  test('a reply without end is broken off', async () => {
    const lab = openLab([
      ({ signal, onPart }) => {
        while (signal?.aborted !== true) onPart?.({ type: 'text', text: 'x'.repeat(100_000) });
        throw new ChatModelError('cancelled', 'The step was cancelled.');
      },
    ]);
    const [only] = await lab.turn(lab.chat());
    expect(only).toMatchObject({ stoppedBecause: 'error', failure: { code: 'too-large' } });
    expect(only!.failure!.message).toContain('longer than 2,000,000 characters');
    expect(only!.text).toHaveLength(2_000_000);
  });
});

describe('tools off', () => {
  test('nothing is offered and nothing is parsed', async () => {
    const lab = openLab([{ text: block('lab_set', { volume: '1' }) }]);
    const [only] = await lab.turn(lab.chat({ config: { enabled: false } }));
    expect(lab.model.requests[0]!.messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(only).toMatchObject({ calls: [], stoppedBecause: 'done', text: block('lab_set', { volume: '1' }) });
  });

  test('a native call in a text protocol is answered with an error', async () => {
    const lab = openLab([{ toolCalls: [{ id: 'a', name: 'lab_set', argumentsText: '{"volume":1}' }] }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native', config: { enabled: false } }));
    expect(first!.calls).toMatchObject([{ result: { error: { code: 'tool-disabled' } } }]);
    expect(lab.sent).toEqual([]);
  });

  test('the chat’s toggles go before the settings’, tool by tool', async () => {
    const lab = openLab([{ text: 'Hi' }]);
    lab.toolRegistryManager.register(makeTool('other', [{ name: 'get' }]));
    lab.policy.config = { ...lab.policy.config, toolToggles: { lab: false, other: false } };
    await lab.turn(lab.chat({ config: { toolToggles: { lab: true } } }));
    const { content } = lab.model.requests[0]!.messages[0]!;
    expect(content).toContain('「始」lab「末」');
    expect(content).not.toContain('「始」other「末」');
  });
});
