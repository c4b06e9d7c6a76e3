/** Replies that the model server cut at its limit of tokens, and what the model is told of arguments that could not be read. */
import { describe, expect, test } from 'vitest';

import type { ChatToolCall } from '../../../../src-core/contract/chatMessages.ts';
import { readToolResults } from '../../protocols/vcp/readToolResults.ts';
import { openLab } from './labBench.ts';
import { block } from './testModel.ts';

const cutMessage = /^The model's answer was cut at its limit of tokens, so this call is incomplete and was not run\./;
const native = (argumentsText: string, id = 'a'): ChatToolCall => ({ id, name: 'lab_set', argumentsText });

describe('a reply that was cut at its limit of tokens', () => {
  test.each(['{"volume": 9', '', '{}', ' '])(
    'its last call, with the arguments %j, is not run',
    async (argumentsText) => {
      const lab = openLab([{ toolCalls: [native(argumentsText)], finishReason: 'length' }]);
      const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
      const { error } = first!.calls[0]!.result!;
      expect(error).toMatchObject({ code: 'invalid-arguments', details: { finishReason: 'length' } });
      expect(error!.message).toMatch(cutMessage);
      expect(error!.message).toContain('raise the limit of tokens');
      expect(lab.model.requests[1]!.messages.at(-1)!.content).toContain(error!.message);
      expect(lab.sent).toEqual([]);
    },
  );

  test('calls that are complete run, and only the last one can be cut', async () => {
    const toolCalls = [native('{"volume":1}'), native('{"volume":', 'b'), native('{"volume":3}', 'c')];
    const lab = openLab([{ toolCalls, finishReason: 'length' }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(lab.sent).toEqual([{ volume: 1 }, { volume: 3 }]);
    expect(first!.calls[1]!.result!.result).toContain('The arguments are not valid JSON');
    expect(lab.model.requests[1]!.messages.at(-1)!.content).toMatch(
      /^set\n\(This reply was cut at its limit of tokens/,
    );
  });

  test('of a reply that was not cut, broken arguments are called broken and no arguments run', async () => {
    const lab = openLab([{ toolCalls: [native('{"volume": 9'), { id: 'b', name: 'lab_get', argumentsText: '' }] }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(first!.calls.map(({ result }) => result!.status)).toEqual(['error', 'success']);
    expect(first!.calls[0]!.result!.result).toContain('The arguments are not valid JSON');
    expect(lab.model.requests[1]!.messages.at(-1)!.content).toBe('{"volume":5}');
  });

  test('in VCP the complete blocks run, and the model is told that an incomplete one did not', async () => {
    const text = `${block('lab_get')}\n${block('lab_set', { volume: '5' }).slice(0, 40)}`;
    const lab = openLab([{ text, finishReason: 'length' }]);
    const [first] = await lab.turn(lab.chat());
    expect(first!.calls).toMatchObject([{ state: 'done' }]);
    expect(lab.model.requests[1]!.messages.at(-1)!.content).toMatch(
      /\n\n\(This reply was cut at its limit of tokens\. A call that it had not completed was not run\.\)$/,
    );
    expect(lab.sent).toEqual([]);
  });
});

describe('arguments that could not be read', () => {
  test.each(['vcp', 'json', 'native'] as const)('are in what a %s chat tells the model', async (protocol) => {
    const lab = openLab([{ toolCalls: [native('{"volume" 9}')] }]);
    await lab.turn(lab.chat({ protocol }));
    const { messages } = lab.model.requests[1]!;
    // The call itself goes back without them.
    expect(JSON.stringify(messages.at(-2))).not.toContain('9');
    const { content } = messages.at(-1)!;
    const told = protocol === 'vcp' ? readToolResults(content)[0]!.result : content;
    expect(told).toContain('line 1, column 11: a colon is expected here');
    expect(protocol === 'json' ? told.replaceAll('\\"', '"') : told).toContain(
      '(The call was written with these arguments: {"volume" 9})',
    );
  });

  test('are cut in what the model is told if they are long', async () => {
    const lab = openLab([{ toolCalls: [native(`{"volume": "${'x'.repeat(9_000)}`)] }]);
    await lab.turn(lab.chat({ protocol: 'native' }));
    const { content } = lab.model.requests[1]!.messages.at(-1)!;
    expect(content).toMatch(/x… \(1,012 more characters are left out\)\)\n/);
  });

  test('of which there are too many go back shortened in every protocol', async () => {
    const many = `{"list":[${'1,'.repeat(20_001)}1]}`;
    const lab = openLab([{ toolCalls: [native(many)] }]);
    await lab.turn(lab.chat({ protocol: 'native' }));
    const { messages } = lab.model.requests[1]!;
    expect(messages.at(-2)).toMatchObject({ toolCalls: [{ argumentsText: '{}' }] });
    expect(messages.at(-1)!.content).toContain('(The call was written with these arguments: {"list":[1,1,');
    expect(messages.at(-1)!.content).toContain('more than 20000 values');
  });
});

describe('calls beyond the most that one reply may make', () => {
  const blocks = (count: number) =>
    Array.from({ length: count }, (_, at) => block('lab_set', { volume: String(at % 100), at: String(at) })).join('\n');

  test('are said to be left out in a protocol in which the model does not see them', async () => {
    const lab = openLab([{ text: blocks(103) }]);
    const chat = lab.chat();
    await lab.turn(chat);
    expect(lab.model.requests[1]!.messages.at(-1)!.content).toMatch(
      /\(3 more calls of this reply were too many and were not run\.\)$/,
    );
    lab.service.updateOptions({ sessionId: chat, options: { protocol: 'json' } });
    await lab.turn(chat, 'Again');
    const told = lab.model.requests
      .at(-1)!
      .messages.map(({ content }) => content)
      .join('\n');
    expect(told).toContain('(3 more calls of this reply were too many: they were not run and are not shown here.)');
  });
});
