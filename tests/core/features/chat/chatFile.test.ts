import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../../../src-core/base/json.ts';
import { exportedFile } from '../../../helpers/chatFileText.ts';
import { makeTool } from '../../registry/testTool.ts';
import { openLab } from './labBench.ts';
import { block, stall } from './testModel.ts';

interface ExportedChat extends JsonObject {
  options: JsonObject & { config: JsonObject };
  entries: JsonObject[];
}

async function exported(): Promise<{
  lab: ReturnType<typeof openLab>;
  chat: string;
  file: ExportedChat;
}> {
  const text = `<think>hm</think>Sure.\n${block('lab_set', { volume: '5' }, 'r1')}\n${block('lab_gett')}\n${block('photo_take')}`;
  const lab = openLab([{ text, usage: { inputTokens: 3, outputTokens: 4 } }]);
  const picture = {
    type: 'image' as const,
    data: 'AAAA',
    mimeType: 'image/png',
  };
  lab.toolRegistryManager.register({
    ...makeTool('photo', [{ name: 'take' }]),
    invoke: async () => ({ value: { success: false }, content: [picture] }),
  });
  const config = {
    maxIterations: 5,
    maxRepeats: 1,
    timeout: 1_000,
    parallelExecution: true,
  };
  const chat = lab.chat({
    systemPrompt: 'Brief.',
    temperature: 0.5,
    maxTokens: 9,
    config,
  });
  await lab.turn(chat, 'Set it: 5');
  return {
    lab,
    chat,
    file: JSON.parse((await exportedFile(lab.service.exportChat({ sessionId: chat }))).text) as ExportedChat,
  };
}

describe('a chat as a file', () => {
  test('comes back as it went, and goes on', async () => {
    const { lab, chat, file } = await exported();
    const { fileName, text } = await exportedFile(lab.service.exportChat({ sessionId: chat }));
    expect(fileName).toBe('Set-it-5.toolwire-chat.json');
    expect(file).toMatchObject({
      format: 'toolwire-chat',
      version: 1,
      title: 'Set it: 5',
    });
    const { sessionId } = await lab.service.importChat([text]);
    const again = JSON.parse((await exportedFile(lab.service.exportChat({ sessionId }))).text) as ExportedChat;
    expect({ ...again, exportedAt: '' }).toEqual({ ...file, exportedAt: '' });
    const steps = lab.steps(sessionId);
    expect(steps[0]).toMatchObject({
      reasoning: '<think>hm</think>',
      usage: { inputTokens: 3 },
    });
    expect(steps[0]!.stepId).toBeUndefined();
    expect(steps[0]!.calls[2]!.result).toMatchObject({
      softFailure: {},
      content: [{ type: 'image' }],
    });
    expect(lab.service.get({ sessionId, limit: 1 }).session).toMatchObject({
      running: false,
      approved: [],
    });
    await lab.turn(sessionId, 'Go on');
    expect(lab.model.requests.at(-1)!.messages.slice(1, 4)).toEqual(lab.model.requests[1]!.messages.slice(1));
  });

  test('that was written in the middle of a turn has no call without a result', async () => {
    const lab = openLab([{ text: `${block('lab_set', { volume: '1' })}` }, stall('x')]);
    const chat = lab.chat({ mode: 'manual' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat);
    const { text } = await exportedFile(lab.service.exportChat({ sessionId: chat }));
    expect(lab.calls(chat)[0]!.state).toBe('waiting');
    const { sessionId } = await lab.service.importChat([text]);
    expect(lab.steps(sessionId)).toMatchObject([
      {
        stoppedBecause: 'exported',
        calls: [{ state: 'cancelled', result: { error: { code: 'cancelled' } } }],
      },
    ]);
  });

  test('never decides which calls run unasked', async () => {
    const { lab, file } = await exported();
    lab.policy.config = {
      ...lab.policy.config,
      mode: 'manual',
      requireConfirmation: true,
    };
    Object.assign(file.options, { mode: 'auto' });
    Object.assign(file.options.config, {
      requireConfirmation: false,
      toolToggles: { lab: true },
      defaultToolEnabled: true,
      enabled: true,
    });
    const { sessionId } = await lab.service.importChat([JSON.stringify(file)]);
    expect(lab.service.get({ sessionId, limit: 1 }).session.options).toMatchObject({ mode: 'manual' });
    expect(lab.service.get({ sessionId, limit: 1 }).session.options.config).toEqual({
      maxIterations: 5,
      maxRepeats: 1,
      timeout: 1_000,
      parallelExecution: true,
    });
  });

  test('may be of a model that is not here: that is said when it is asked', async () => {
    const { lab, file } = await exported();
    file.options['modelId'] = 'elsewhere';
    const { sessionId } = await lab.service.importChat([JSON.stringify(file)]);
    expect(() => lab.service.send({ sessionId, text: 'Hi' })).toThrow('There is no model "elsewhere"');
  });

  test('may have replies in a row, which go to the model as one', async () => {
    const { lab, file } = await exported();
    const [, , last] = file.entries;
    file.entries.push({ ...last, id: 'more', text: 'And more.' });
    const { sessionId } = await lab.service.importChat([JSON.stringify(file)]);
    const { messages } = lab.service.prompt({ sessionId, text: 'Go on' });
    expect(messages.at(-2)).toEqual({
      role: 'assistant',
      content: 'Done.\n\nAnd more.',
    });
  });

  test('keeps names such as __proto__ as data', async () => {
    const { lab, file } = await exported();
    const call = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as JsonObject;
    (file.entries[1]!['calls'] as JsonObject[])[0]!['askedArgs'] = call;
    const { sessionId } = await lab.service.importChat([JSON.stringify(file)]);
    expect(lab.calls(sessionId)[0]!.askedArgsJson).toBe(JSON.stringify(call));
  });
});

describe('is not a chat file', () => {
  const deep = (levels: number): JsonObject => {
    let value: JsonObject = {};
    for (let level = 0; level < levels; level++) value = { deeper: value };
    return value;
  };
  const changes: [string, (file: ExportedChat) => unknown, string][] = [
    ['of another kind', () => ({ format: 'toolwire-capture' }), 'format'],
    ['a list', () => [], 'format'],
    ['null', () => null, 'format'],
    ['of a newer version', (file) => ({ ...file, version: 2 }), 'version'],
    ['of a strange version', (file) => ({ ...file, version: '1' }), 'version'],
    ['with an unknown field', (file) => ({ ...file, extra: 1 }), 'extra'],
    ['without entries', (file) => ({ ...file, entries: undefined }), 'entries'],
    ['with a bad option', (file) => ((file.options.config['maxIterations'] = 0), file), 'options.config.maxIterations'],
    ['with an unknown protocol', (file) => ((file.options['protocol'] = 'x'), file), 'options.protocol'],
    ['with a bad role', (file) => ((file.entries[0]!['role'] = 'system'), file), 'entries.0.role'],
    ['with an id twice', (file) => ((file.entries[1]!['id'] = file.entries[0]!['id']!), file), 'entries.1.id'],
    ['with a step half-way', (file) => ((file.entries[1]!['state'] = 'calling'), file), 'entries.1.state'],
    ['with an undone call', (file) => (delete callOf(file)['result'], file), 'entries.1.calls.0.result'],
    ['with a waiting call', (file) => ((callOf(file)['state'] = 'waiting'), file), 'entries.1.calls.0.state'],
    ['with a deep one', (file) => ((callOf(file)['args'] = deep(300)), file), 'entries.1.calls.0.args'],
    ['with a bad time', (file) => ((file.entries[0]!['createdAt'] = 1e300), file), 'entries.0.createdAt'],
    ['with too long a title', (file) => ({ ...file, title: 'x'.repeat(201) }), 'title'],
  ];

  function callOf(file: ExportedChat): JsonObject {
    return (file.entries[1]!['calls'] as JsonObject[])[0]!;
  }

  test.each(changes)('%s', async (_, change, field) => {
    const { lab, file } = await exported();
    const text = JSON.stringify(change(file));
    await expect(lab.service.importChat([text])).rejects.toThrow(
      expect.objectContaining({
        name: 'RequestError',
        field: field === 'extra' ? 'text' : field,
        message: expect.stringContaining(field),
      }),
    );
    expect(lab.service.list()).toHaveLength(1);
  });

  test('not JSON', async () => {
    const { lab } = await exported();
    await expect(lab.service.importChat(['{"format"'])).rejects.toThrow(
      /^The chat cannot be imported\. text: .*not valid JSON/,
    );
  });

  test('more nested than a program can read', async () => {
    const { lab } = await exported();
    const text = `{"format":"toolwire-chat","version":1,"entries":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    await expect(lab.service.importChat([text])).rejects.toThrow('The chat cannot be imported.');
  });
});
