/** Answers of a server's tools beside the output schema that the server declares. */
import { beforeEach, expect, it } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveModern } from '../../mcp/modernServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, untilState } from './support.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});

const outputSchema = { type: 'object', properties: { grams: { type: 'number' } }, required: ['grams'] };

/** Calls a tool that answers with this. */
async function weigh(answer: object): Promise<object> {
  const { url } = await serveModern(({ method }) => {
    if (method === 'tools/list')
      return {
        tools: [{ name: 'weigh', inputSchema: { type: 'object' }, outputSchema }],
        ttlMs: 0,
        cacheScope: 'private',
      };
    return method === 'tools/call' ? { ...answer } : undefined;
  });
  await addServer(workbench, { name: 'scale', type: 'http', url, headers: [] });
  await untilState(workbench, 'ready');
  const call = { toolName: 'mcp-scale_weigh', argsJson: '{}', callId: 'c', origin: 'executor' } as const;
  await workbench.services.calls.execute(call);
  return workbench.services.calls.get({ callId: 'c' });
}

it('shows data that breaks the schema beside the finding, and the call has succeeded', async () => {
  const content = [{ type: 'text', text: 'heavy' }];
  expect(await weigh({ content, structuredContent: { grams: 'heavy' } })).toMatchObject({
    result: {
      status: 'success',
      result: 'heavy',
      structuredContent: '{"grams":"heavy"}',
      outputIssues: [{ path: '/grams' }],
    },
  });
});

it('does not check the data of an error', async () => {
  const content = [{ type: 'text', text: 'The scale is off.' }];
  const { result } = (await weigh({ content, structuredContent: { code: 7 }, isError: true })) as { result: object };
  expect(result).toMatchObject({ status: 'error', result: 'The scale is off.', structuredContent: '{"code":7}' });
  expect(result).not.toHaveProperty('outputIssues');
});

it('shows a part of an unknown type as it came, beside the others', async () => {
  const content = [
    { type: 'text', text: 'a' },
    { type: 'hologram', rays: 7 },
    { type: 'text', text: 'b' },
  ];
  expect(await weigh({ content, structuredContent: { grams: 1 } })).toMatchObject({
    result: { status: 'success', result: 'a\n{"type":"hologram","rays":7}\nb' },
  });
});

it.each([
  ['content is not an array', { content: 'oops' }],
  ['content is missing', {}],
  [
    'content[1] is not valid',
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AA==' },
      ],
    },
  ],
  ['content[0] is not valid', { content: ['oops'] }],
  ['isError is not a boolean', { content: [], isError: 'no' }],
])('refuses a result whose %s, and shows it as it came', async (fault, answer) => {
  expect(await weigh(answer)).toMatchObject({
    result: {
      status: 'error',
      error: {
        code: 'protocol-error',
        message: `The result is not a valid CallToolResult: ${fault}. The tool has run.`,
        details: { frame: expect.stringContaining(JSON.stringify(answer).slice(1, -1)) },
      },
    },
  });
  const rows = await workbench.services.frames.ofCall({ callId: 'c' });
  expect(rows.map(({ role, failed }) => [role, failed === true])).toEqual([
    ['request', false],
    ['answer', true],
  ]);
});

const message = { role: 'user', content: { type: 'text', text: 'a' } };

it.each([
  [
    'resources/read',
    {
      contents: [
        { uri: 'x:/a', text: 'a' },
        { uri: 'x:/b', blob: 'AA==' },
      ],
    },
    undefined,
  ],
  ['resources/read', {}, 'ReadResourceResult: contents is not an array'],
  ['resources/read', { contents: [{ uri: 'x:/a' }] }, 'ReadResourceResult: contents[0] is not valid'],
  ['resources/read', { contents: [{ text: 'a' }] }, 'ReadResourceResult: contents[0] is not valid'],
  ['prompts/get', { messages: [message, { ...message, content: { type: 'hologram' } }] }, undefined],
  ['prompts/get', { messages: 'a' }, 'GetPromptResult: messages is not an array'],
  ['prompts/get', { messages: [message, { role: 'user', content: 'a' }] }, 'GetPromptResult: messages[1] is not valid'],
  ['prompts/get', { messages: [{ ...message, role: 'root' }] }, 'GetPromptResult: messages[0] is not valid'],
])('checks the result of %s: %j', async (method, answer, fault) => {
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [], ttlMs: 0, cacheScope: 'private' };
  const { url } = await serveModern((asked) => (asked.method === method ? { ...answer } : lists), {
    resources: {},
    prompts: {},
  });
  const id = await addServer(workbench, { name: 'shelf', type: 'http', url, headers: [] });
  await untilState(workbench, 'ready');
  const { servers, frames } = workbench.services;
  const asked =
    method === 'resources/read'
      ? servers.readResource({ id, uri: 'x:/a' })
      : servers.prompt({ id, name: 'a', args: {} });
  if (fault === undefined) expect(await asked).toMatchObject(answer);
  else await expect(asked).rejects.toThrow(`The result is not a valid ${fault}.`);
  const { rows } = await frames.page({ source: 'mcp', connection: id, limit: 100 });
  const answered = rows.find((row) => row.method === method && row.role === 'answer');
  expect(answered?.failed === true).toBe(fault !== undefined);
});
