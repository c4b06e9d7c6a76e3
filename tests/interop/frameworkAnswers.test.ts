/** What each framework gets of an answer, before an API leaves anything out. */
import * as messages from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import * as agents from '@openai/agents';
import * as ai from 'ai';
import { describe, expect, test } from 'vitest';

import { AiSdkToolConverter, LangChainToolConverter, OpenAIAgentToolConverter } from '../../src-core/converters.ts';
import type { ContentBlock, ToolDefinition } from '../../src-core/converters.ts';

const png = 'iVBORw0KGgo=';
const content: ContentBlock[] = [
  { type: 'text', text: 'a click' },
  { type: 'image', data: png, mimeType: 'image/png' },
  { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
];

/** A tool whose answer has all kinds of parts, and says that it failed where told to. */
const camera: ToolDefinition = {
  name: 'take-photo.now',
  description: 'Takes a photo.',
  parameters: { type: 'object', properties: { fail: { type: 'boolean' } } },
  mcpClient: {
    callTool: async (_name, { fail }) => Promise.resolve({ value: 'a click', content, isError: fail === true }),
  },
};

const echo: ToolDefinition['mcpClient'] = {
  callTool: async (_name, args) => Promise.resolve({ value: JSON.stringify(args) }),
};

describe('@openai/agents', () => {
  const converter = new OpenAIAgentToolConverter({ agents });

  test('has text, image and file', async () => {
    const [tool] = converter.convertMcpTools([camera]);
    expect(tool).toMatchObject({ type: 'function', name: 'take-photo_now', strict: false });
    expect(tool?.parameters).toMatchObject(camera.parameters);
    const run = new agents.RunContext();
    expect(await tool?.invoke(run, '{"fail":true}')).toEqual([
      { type: 'text', text: 'Error: a click' },
      { type: 'image', image: `data:image/png;base64,${png}` },
      { type: 'file', file: { data: 'UklGRg==', mediaType: 'audio/wav', filename: 'sound-3.wav' } },
    ]);
  });

  test.each(['', '  ', '{}'])('takes the argument text %j as no arguments', async (text) => {
    const [tool] = converter.convertMcpTools([{ ...camera, name: 'echo', mcpClient: echo }]);
    expect(await tool?.invoke(new agents.RunContext(), text)).toBe('{}');
  });

  test('says what is wrong with an argument text, and rounds no number of it', async () => {
    const [tool] = converter.convertMcpTools([{ ...camera, name: 'echo', mcpClient: echo }]);
    const run = new agents.RunContext();
    expect(await tool?.invoke(run, '{"fail":')).toContain('Error: The arguments are not valid JSON: ');
    expect(await tool?.invoke(run, '{"at":9007199254740993}')).toBe('{"at":9007199254740993}');
  });

  test('takes them into its history as its own parts', async () => {
    const [tool] = converter.convertMcpTools([camera]);
    const replies: agents.AgentOutputItem[][] = [
      [{ type: 'function_call', callId: 'c1', name: tool!.name, arguments: '{}', status: 'completed' }],
      [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] }],
    ];
    const model: agents.Model = {
      getResponse: async () => Promise.resolve({ usage: new agents.Usage(), output: replies.shift() ?? [] }),
      getStreamedResponse: () => {
        throw new Error('not streamed');
      },
    };
    const runner = new agents.Runner({ tracingDisabled: true });
    const { history } = await runner.run(new agents.Agent({ name: 'a', model, tools: [tool!] }), 'Hi');
    const answer = history.find((item) => item.type === 'function_call_result');
    expect(answer).toMatchObject({
      callId: 'c1',
      output: [{ type: 'input_text', text: 'a click' }, { type: 'input_image' }, { type: 'input_file' }],
    });
    expect(JSON.stringify(answer)).toContain(png);
  });
});

test('the AI SDK has the whole result, and of it text and files for the model', async () => {
  const converter = new AiSdkToolConverter({ ai });
  const tools = converter.convertMcpTools([camera]);
  const tool = tools[converter.names.toWire(camera.name)];
  const options = { toolCallId: 'c1', messages: [], context: {} };
  const output: unknown = await tool?.execute?.({ fail: true }, options);
  expect(output).toMatchObject({ requestId: 'c1', status: 'error', result: 'a click', content });
  expect(await tool?.toModelOutput?.({ toolCallId: 'c1', input: {}, output })).toEqual({
    type: 'content',
    value: [
      { type: 'text', text: 'Error: a click' },
      { type: 'file', data: { type: 'data', data: png }, mediaType: 'image/png' },
      { type: 'file', data: { type: 'data', data: 'UklGRg==' }, mediaType: 'audio/wav' },
    ],
  });
});

test('LangChain has a message with its status, the parts, and the whole result beside them', async () => {
  const { ToolMessage } = messages;
  const converter = new LangChainToolConverter({ langchain: { DynamicStructuredTool, ToolMessage } });
  const [tool] = converter.convertMcpTools([camera]);
  const message: unknown = await tool?.invoke({ type: 'tool_call', id: 'c1', name: tool.name, args: { fail: true } });
  expect(message).toBeInstanceOf(ToolMessage);
  expect(message).toMatchObject({
    status: 'error',
    tool_call_id: 'c1',
    content: [{ type: 'text', text: 'Error: a click' }, content[1], content[2]],
    artifact: { status: 'error', content },
  });
  expect((message as messages.ToolMessage).contentBlocks.map(({ type }) => type)).toEqual(['text', 'image', 'audio']);
  expect(await tool?.invoke({})).toEqual(content);
  await expect(tool?.invoke({ fail: 'yes' })).rejects.toThrow(/boolean/);
});
