/** What the conformance suite asks a server to offer: its fixed tools, resources and prompts. */
import { setTimeout } from 'node:timers/promises';

import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';

import type { JsonObject, JsonSchema } from '../../../base/json.ts';
import type { OfferChange, OfferedPrompts, OfferedResources } from '../offered.ts';
import type { ContentBlock } from '../../../base/toolTypes.ts';
import type { CallHost, ToolOutput } from '../../../registry/types.ts';
import type { ToolRegistryManager } from '../../../registry/toolRegistryManager.ts';
import { suiteRegistry, type SuiteTool } from './suiteRegistry.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (value: string): ToolOutput => ({ value });
const blocks = (...content: ContentBlock[]): ToolOutput => ({ value: undefined, content });
const form = (message: string, properties: JsonObject, required: string[] = []): JsonObject => ({
  mode: 'form',
  message,
  requestedSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
});
const string = { type: 'string' };
const nameForm = form('What is your name?', { name: string }, ['name']);
const okForm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
const sampled = (prompt: string): JsonObject => ({
  messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
  maxTokens: 100,
});

async function elicited(host: CallHost | undefined, params: JsonObject, key?: string): Promise<JsonObject> {
  host?.require('elicitation');
  return (await host?.elicit?.(params, key === undefined ? {} : { key })) ?? {};
}

function completed({ action, content }: JsonObject): ToolOutput {
  return text(`Elicitation completed: action=${String(action)}, content=${JSON.stringify(content ?? {})}`);
}

const titled = (items: string[]): JsonObject[] =>
  ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${items[0] ?? ''}` }));

const options = ['option1', 'option2', 'option3'];
const enums: JsonObject = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled(['Option']) },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled(['Choice']) } },
};

const defaults: JsonObject = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const schema2020: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const plainTools: Record<string, SuiteTool> = {
  test_simple_text: { run: () => text('This is a simple text response for testing.') },
  test_image_content: { run: () => blocks({ type: 'image', data: png, mimeType: 'image/png' }) },
  test_audio_content: { run: () => blocks({ type: 'audio', data: wav, mimeType: 'audio/wav' }) },
  test_embedded_resource: {
    run: () =>
      blocks({
        type: 'resource',
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      }),
  },
  test_multiple_content_types: {
    run: () =>
      blocks(
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: png, mimeType: 'image/png' },
        {
          type: 'resource',
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      ),
  },
  test_error_handling: {
    run: () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  },
  test_tool_with_logging: {
    run(_args, { host }) {
      for (const step of ['started', 'processing data', 'completed']) host?.log('info', `Tool execution ${step}`);
      return text('done');
    },
  },
  test_logging_tool: {
    run(_args, { host }) {
      host?.log('info', 'one');
      return text('done');
    },
  },
  test_tool_with_progress: {
    run(_args, { onProgress }) {
      for (const progress of [0, 50, 100]) onProgress?.({ progress, total: 100 });
      return text('done');
    },
  },
  test_reconnection: {
    async run(_args, { host }) {
      host?.closeStream();
      await setTimeout(100);
      return text('Reconnection test completed');
    },
  },
  test_x_mcp_header: {
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    run: ({ region }) => text(`region ${String(region)}`),
  },
  json_schema_2020_12_tool: { inputSchema: schema2020, run: () => text('done') },
};

const askingTools: Record<string, SuiteTool> = {
  test_sampling: {
    run: async (_args, { host }) => text(`LLM response: ${JSON.stringify(await host?.sample?.(sampled('Test')))}`),
  },
  test_elicitation: {
    run: async (_args, { host }) =>
      text(
        `User response: ${JSON.stringify(await elicited(host, form('Test', { username: string, email: string }, ['username', 'email'])))}`,
      ),
  },
  test_elicitation_sep1034_defaults: {
    run: async (_args, { host }) => completed(await elicited(host, form('Defaults', defaults))),
  },
  test_elicitation_sep1330_enums: {
    run: async (_args, { host }) => completed(await elicited(host, form('Enums', enums))),
  },
  test_streaming_elicitation: { run: async (_args, { host }) => completed(await elicited(host, nameForm)) },
  test_missing_capability: {
    run(_args, { host }) {
      host?.require('sampling');
      return text('done');
    },
  },
  test_input_required_result_elicitation: {
    run: async (_args, { host }) => text(`Hello, ${JSON.stringify(await elicited(host, nameForm, 'user_name'))}!`),
  },
  test_input_required_result_sampling: {
    run: async (_args, { host }) =>
      text(
        JSON.stringify(await host?.sample?.(sampled('What is the capital of France?'), { key: 'capital_question' })),
      ),
  },
  test_input_required_result_list_roots: {
    run: async (_args, { host }) => text(JSON.stringify(await host?.listRoots?.({ key: 'client_roots' }))),
  },
  test_input_required_result_request_state: {
    run: async (_args, { host }) => text(`state-ok ${JSON.stringify(await elicited(host, okForm, 'confirm'))}`),
  },
  test_input_required_result_tampered_state: {
    run: async (_args, { host }) => text(`state-ok ${JSON.stringify(await elicited(host, okForm, 'confirm'))}`),
  },
  test_input_required_result_multi_round: {
    async run(_args, { host }) {
      const first = await elicited(host, form('Step 1: What is your name?', { name: string }, ['name']), 'step1');
      const second = await elicited(host, form('Step 2: What colour?', { color: string }, ['color']), 'step2');
      return text(JSON.stringify([first, second]));
    },
  },
  test_input_required_result_multiple_inputs: {
    run: async (_args, { host }) =>
      text(
        JSON.stringify(
          await Promise.all([
            elicited(host, nameForm, 'user_name'),
            host?.sample?.(sampled('Generate a greeting'), { key: 'greeting' }),
            host?.listRoots?.({ key: 'client_roots' }),
          ]),
        ),
      ),
  },
  test_input_required_result_capabilities: {
    run: async (_args, { host }) =>
      text(
        JSON.stringify(
          await Promise.all([
            host?.elicit?.(nameForm, { key: 'user_name' }),
            host?.sample?.(sampled('Test'), { key: 'greeting' }),
          ]),
        ),
      ),
  },
};

const taskTools: Record<string, SuiteTool> = {
  greet: { run: ({ name }) => text(`Hello, ${String(name)}!`) },
  slow_compute: {
    async run({ seconds }, { host, signal }) {
      if (Number(seconds) > 0) host?.becomeTask();
      await setTimeout(Number(seconds) * 1_000, undefined, { signal });
      return text(`Computed for ${String(seconds)} s`);
    },
  },
  failing_job: {
    async run(_args, { host, signal }) {
      host?.require('tasks');
      host?.becomeTask();
      await setTimeout(1_000, undefined, { signal });
      throw new Error('This job fails on purpose');
    },
  },
  protocol_error_job: {
    async run(_args, { host }) {
      host?.becomeTask();
      await setTimeout(100);
      host?.require('roots');
      return text('done');
    },
  },
  confirm_delete: {
    async run({ filename }, { host }) {
      host?.becomeTask();
      const answer = await elicited(host, form(`Delete ${String(filename)}?`, { confirm: { type: 'boolean' } }));
      return text(`Confirmed: ${JSON.stringify(answer)}`);
    },
  },
  multi_input: {
    async run(_args, { host }) {
      host?.becomeTask();
      return text(JSON.stringify(await Promise.all([elicited(host, nameForm), elicited(host, okForm)])));
    },
  },
  test_tool_with_task: {
    async run(_args, { host, signal }) {
      const answer = await elicited(host, nameForm, 'user_name');
      host?.becomeTask();
      await setTimeout(100, undefined, { signal });
      return text(`Hello, ${JSON.stringify(answer)}`);
    },
  },
};

const resources: OfferedResources = {
  list: () => [
    { uri: 'test://static-text', name: 'static text', description: 'A text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'static binary', description: 'A picture', mimeType: 'image/png' },
    { uri: 'test://watched-resource', name: 'watched', description: 'It changes', mimeType: 'text/plain' },
  ],
  templates: () => [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  read(uri): ReadResourceResult | undefined {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id !== undefined) {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
    }
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] };
    if (uri === 'test://watched-resource') return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched' }] };
    if (uri !== 'test://static-text') return undefined;
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  },
};

const user = (content: GetPromptResult['messages'][number]['content']) => ({ role: 'user' as const, content });
const said = (words: string) => user({ type: 'text', text: words });
const argument = (name: string) => ({ name, description: `The argument ${name}`, required: true });

const prompts: OfferedPrompts = {
  list: () => [
    { name: 'test_simple_prompt', description: 'Simple' },
    { name: 'test_prompt_with_arguments', description: 'Two', arguments: [argument('arg1'), argument('arg2')] },
    { name: 'test_prompt_with_embedded_resource', description: 'Embeds', arguments: [argument('resourceUri')] },
    { name: 'test_prompt_with_image', description: 'A picture' },
    { name: 'test_input_required_result_prompt', description: 'Asks' },
  ],
  async get(name, args, { host }) {
    const { arg1 = '', arg2 = '', resourceUri = '' } = args;
    switch (name) {
      case 'test_simple_prompt':
        return { messages: [said('This is a simple prompt for testing.')] };
      case 'test_prompt_with_arguments':
        return { messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] };
      case 'test_prompt_with_embedded_resource': {
        const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
        return {
          messages: [user({ type: 'resource', resource }), said('Please process the embedded resource above.')],
        };
      }
      case 'test_prompt_with_image':
        return {
          messages: [
            user({ type: 'image', data: png, mimeType: 'image/png' }),
            said('Please analyze the image above.'),
          ],
        };
      case 'test_input_required_result_prompt': {
        const context = form('What context should the prompt use?', { context: string }, ['context']);
        return { messages: [said(`Use ${JSON.stringify(await elicited(host, context, 'user_context'))}`)] };
      }
      default:
        return undefined;
    }
  },
};

/** Registers the tools of the suite. Returns what is offered in addition. */
export function offerSuite(manager: ToolRegistryManager) {
  const listeners = new Set<(change: OfferChange) => void>();
  const announce = (change: OfferChange): void => listeners.forEach((listener) => listener(change));
  let removeExtra: (() => void) | undefined;
  const changing: Record<string, SuiteTool> = {
    test_trigger_tool_change: {
      run() {
        const extra = suiteRegistry('extra', { test_extra: { run: () => text('extra') } });
        if (removeExtra === undefined) removeExtra = manager.register(extra);
        else {
          removeExtra();
          removeExtra = undefined;
        }
        return text('changed');
      },
    },
    test_trigger_prompt_change: {
      run() {
        announce('prompts');
        return text('changed');
      },
    },
  };
  manager.register(suiteRegistry('fixture', { ...plainTools, ...askingTools, ...taskTools, ...changing }));
  return {
    scope: { kind: 'mcp' as const, id: 'fixture' },
    resources,
    prompts,
    complete: () => ['paris', 'park', 'party'],
    onOtherChange: (listener: (change: OfferChange) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
