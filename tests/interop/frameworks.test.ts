/** Each agent framework, as npm gives it, calls a device's tools through our converter; the model is a scripted server. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { followRegisteredTools } from '../../src-core/converters.ts';
import type { ToolExecutionResult } from '../../src-core/converters.ts';
import { createVirtualDeviceOf } from '../../src-core/features/devices/virtual/profiles.ts';
import { connectScripted, standardAnswer } from '../core/features/devices/support/scriptedDevice.ts';
import type { ScriptedDevice, WireRequest } from '../core/features/devices/support/scriptedDevice.ts';
import { beds, localTool } from './frameworks/beds.ts';
import { answers, deviceId, offered, openAgent } from './frameworks/openAgent.ts';
import type { OpenAgent } from './frameworks/openAgent.ts';

const object = { type: 'object', properties: {} };
const tool = (name: string, description = name): object => ({ name, description, inputSchema: object });
const pixel = 'iVBORw0KGgo=';

/** A device that lists these tools, and answers a call with what `call` gives: nothing leaves it unanswered. */
async function connect(
  { wsUrl, device }: Pick<OpenAgent, 'wsUrl' | 'device'>,
  tools: () => object[],
  call: (name: string) => object | undefined = (name) => ({ content: [{ type: 'text', text: name }] }),
): Promise<ScriptedDevice> {
  const board = await connectScripted(wsUrl, {
    answer: (request: WireRequest) => {
      const { id, method, params } = request;
      if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools: tools() } };
      if (method !== 'tools/call') return standardAnswer(request);
      const result = call(params?.name ?? '');
      return result === undefined ? undefined : { jsonrpc: '2.0', id, result };
    },
  });
  board.hello();
  await device(({ state }) => state === 'ready');
  return board;
}

const calls = (...names: string[]): { toolCalls: { name: string }[] } => ({
  toolCalls: names.map((name) => ({ name })),
});

describe.each(beds)('$name', (bed) => {
  test('calls a virtual device’s tools; those for people only are not offered', async () => {
    // What models write that have nothing to say. `@openai/agents` takes it for broken JSON, and tells the model so.
    const noArguments = bed.name === '@openai/agents' ? {} : '';
    const agent = await openAgent(bed, [
      { toolCalls: [{ name: 'self_audio_speaker_set_volume', arguments: { volume: 30 } }] },
      { toolCalls: [{ name: 'self_get_device_status', arguments: noArguments }] },
      { text: 'It is quieter now.' },
    ]);
    const virtual = createVirtualDeviceOf('firmware', { url: agent.otaUrl, deviceId });
    onTestFinished(() => virtual.close());
    await virtual.connect();
    await agent.device(({ state }) => state === 'ready');

    expect(await agent.provider.chat('A little quieter, please.')).toBe('It is quieter now.');
    const [first, second, third] = agent.server.chats;
    expect(offered(first!)).toContain('self_audio_speaker_set_volume');
    expect(offered(first!)).not.toContain('self_reboot');
    expect(first?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    const set = first?.body.tools?.find(({ function: { name } }) => name === 'self_audio_speaker_set_volume');
    expect(set?.function.parameters).toMatchObject({
      properties: { volume: { type: 'integer', minimum: 0, maximum: 100 } },
      required: ['volume'],
    });
    expect(answers(second!)).toEqual(['true']);
    expect(JSON.parse(String(answers(third!)[1]))).toMatchObject({ audio_speaker: { volume: 30 } });
  });

  test('tells apart tools whose names would be one', async () => {
    const names = ['a.b', 'a_b', 'a-b', 'a b', '打开灯', 'x'.repeat(80)];
    const agent = await openAgent(bed, (body, turn) =>
      turn === 0 ? calls(...(body.tools ?? []).map((each) => each.function.name)) : { text: 'Done.' },
    );
    const board = await connect(agent, () => names.map((name) => tool(name)));
    await agent.provider.chat('Call each.');
    const wire = offered(agent.server.chats[0]!);
    expect(new Set(wire).size).toBe(names.length);
    for (const name of wire) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(wire).toEqual(expect.arrayContaining(['a_b', 'a-b']));
    const called = board.requests.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.name);
    expect([...called].sort()).toEqual([...names].sort());
    expect([...answers(agent.server.chats[1]!)].sort()).toEqual([...names].sort());
  });

  test('tells the model which arguments are wrong, and sends none of them to the device', async () => {
    const name = 'self_audio_speaker_set_volume';
    const agent = await openAgent(bed, [
      { toolCalls: [{ name, arguments: { volume: 'loud' } }] },
      { toolCalls: [{ name, arguments: { volume: 300 } }] },
      { toolCalls: [{ name, arguments: {} }] },
      { toolCalls: [{ name, arguments: '{"volume": 3' }] },
      { toolCalls: [{ name, arguments: '[3]' }] },
      { text: 'I give up.' },
    ]);
    const board = await connect(agent, () => [
      {
        ...tool('self.audio_speaker.set_volume'),
        inputSchema: { ...object, properties: { volume: { type: 'integer', maximum: 100 } }, required: ['volume'] },
      },
    ]);
    expect(await agent.provider.chat('Louder.')).toBe('I give up.');
    const told = answers(agent.server.chats[5]!).map(String);
    expect(told).toHaveLength(5);
    for (const each of told.slice(0, 3)) expect(each).toMatch(/volume|integer|maximum|100/);
    for (const each of told) expect(each).not.toBe('true');
    expect(board.requests.some(({ method }) => method === 'tools/call')).toBe(false);
  });

  test('tells the model that a tool does not exist, beside a call that runs', async () => {
    const agent = await openAgent(bed, [calls('play_musik', 'play_music'), { text: 'Sorry.' }]);
    await connect(agent, () => [tool('play.music')]);
    expect(await agent.provider.chat('Play.')).toBe('Sorry.');
    const [unknown, known] = answers(agent.server.chats[1]!).map(String).sort();
    expect([unknown, known].join(' ')).toContain('play_musik');
    expect([unknown, known]).toContain('play.music');
  });

  test('tells the model that the device left during the call, and that it is gone after', async () => {
    const agent = await openAgent(bed, [calls('slow'), calls('slow'), { text: 'It has left.' }]);
    const board = await connect(
      agent,
      () => [tool('slow')],
      () => undefined,
    );
    const reply = agent.provider.chat('Wait for it.');
    await board.request('tools/call');
    board.socket.terminate();
    expect(await reply).toBe('It has left.');
    const [during, after] = answers(agent.server.chats[2]!).map(String);
    expect(during).toMatch(/^Error: .*after request #/s);
    expect(after).toMatch(/^Error: .*before the request was sent/s);
  });

  test('keeps isError and every part of an answer', async () => {
    const results: ToolExecutionResult[] = [];
    const agent = await openAgent(bed, [calls('fails', 'camera', 'blind'), { text: 'I see.' }], {
      execution: { onCallEnd: ({ result }) => results.push(result) },
    });
    const image = { type: 'image', data: pixel, mimeType: 'image/png' };
    const given: Record<string, object> = {
      fails: { content: [{ type: 'text', text: 'no film' }], isError: true },
      camera: { content: [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }] },
      blind: { content: [image], isError: true },
    };
    await connect(
      agent,
      () => Object.keys(given).map((name) => tool(name)),
      (name) => given[name],
    );
    await agent.provider.chat('Look.');
    const [fails, camera, blind] = answers(agent.server.chats[1]!);
    expect(fails).toBe('Error: no film');
    const [one, two] = [JSON.stringify(camera), JSON.stringify(blind)];
    for (const text of ['one', 'two']) expect(one).toContain(text);
    expect(two).toContain('Error: ');
    // Of the three only the AI SDK's adapter sends pictures to a chat completions server.
    if (bed.name === 'Vercel AI SDK') for (const sent of [one, two]) expect(sent).toContain(pixel);
    expect(results.map(({ status, content }) => [status, content?.length])).toEqual([
      ['error', 1],
      ['success', 3],
      ['error', 1],
    ]);
  });

  test('a second hello replaces the tools, and takes away those that are gone', async () => {
    const agent = await openAgent(bed, () => ({ text: 'Fine.' }));
    let tools = [tool('stays', 'Old.'), tool('goes')];
    const board = await connect(agent, () => tools);
    await agent.provider.updateTools(agent.converter.convertLocalTools([localTool('local', 'here')]));
    await agent.provider.chat('First.');
    tools = [tool('stays', 'New.'), tool('comes')];
    board.hello();
    await agent.device(({ toolChanges }) => toolChanges?.added.includes('comes') === true);
    await agent.provider.chat('Second.');
    const [first, second] = agent.server.chats;
    expect(offered(first!)).toEqual(['goes', 'local', 'stays']);
    expect(offered(second!)).toEqual(['comes', 'local', 'stays']);
    expect(second?.body.tools?.find((each) => each.function.name === 'stays')?.function.description).toBe('New.');
    expect(second?.body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  test('a cancelled turn stops the call and leaves the conversation unchanged', async () => {
    const ended: string[] = [];
    const agent = await openAgent(bed, [calls('slow'), { text: 'Hello again.' }], {
      execution: { onCallEnd: ({ result }) => ended.push(result.error?.code ?? result.status) },
    });
    const board = await connect(
      agent,
      () => [tool('slow')],
      () => undefined,
    );
    const stop = new AbortController();
    const reply = agent.provider.chat('Wait.', { signal: stop.signal });
    await expect(agent.provider.chat('And this?')).rejects.toThrow('busy');
    await board.request('tools/call');
    stop.abort();
    await expect(reply).rejects.toThrow();
    expect(ended).toEqual(['cancelled']);
    expect(await agent.provider.chat('Are you there?')).toBe('Hello again.');
    expect(agent.server.chats[1]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  test('a call that takes too long, one that would do harm and one too many are refused with the reason', async () => {
    const agent = await openAgent(bed, () => calls('self_reboot', 'slow'), {
      execution: { toolTimeouts: { device_slow: 1 } },
      maxTurns: 2,
    });
    await connect(
      agent,
      () => [tool('self.reboot'), tool('slow')],
      () => undefined,
    );
    await expect(agent.provider.chat('Go on.')).rejects.toThrow(/turn/i);
    const [harm, slow] = answers(agent.server.chats[1]!).map(String);
    expect(harm).toMatch(/^Error: .*confirm/i);
    expect(slow).toMatch(/^Error: .*1 ms/);
  });

  test('follows what is registered: two devices with the same tools stay two, and go when they leave', async () => {
    const callers: string[] = [];
    const agent = await openAgent(
      bed,
      (body, turn) =>
        turn === 0
          ? { toolCalls: (body.tools ?? []).map((each) => ({ name: each.function.name, arguments: { volume: 1 } })) }
          : { text: 'Both.' },
      { execution: { onCallEnd: ({ caller, toolName }) => callers.push(`${caller} ${toolName}`) } },
    );
    onTestFinished(followRegisteredTools({ ...agent }));
    const boards: ScriptedDevice[] = [];
    for (const id of ['02:00:00:00:00:01', '02:00:00:00:00:02']) {
      const board = await connectScripted(agent.wsUrl, { headers: { 'Device-Id': id } });
      board.hello();
      await agent.device(({ registryId }) => registryId !== undefined, id);
      boards.push(board);
    }
    const ids = agent.toolRegistryManager.getAllTools().map(({ id }) => id);
    await agent.provider.chat('Ask both.');
    expect(offered(agent.server.chats[0]!)).toHaveLength(4);
    expect(callers.sort()).toEqual(
      ids.flatMap((id) => [`model ${id}_self.audio_speaker.set_volume`, `model ${id}_self.get_device_status`]).sort(),
    );
    boards[0]?.socket.terminate();
    await agent.device(({ state }) => state === 'closed', '02:00:00:00:00:01');
    await agent.provider.chat('And now?');
    expect(offered(agent.server.chats.at(-1)!)).toHaveLength(2);
  });
});
