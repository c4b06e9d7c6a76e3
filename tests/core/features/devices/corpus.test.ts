import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../../src-core/base/errors.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { invokeOptions, openHub } from './support/openHub.ts';
import { connectScripted } from './support/scriptedDevice.ts';
import type { WireRequest } from './support/scriptedDevice.ts';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, corpus), 'utf8');

interface RecordedTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
  annotations?: { audience: string[] };
}

/** Pages as both clients make them: below 8,000 bytes, the cursor the name of the next tool. */
function page(tools: RecordedTool[], cursor: string): { tools: RecordedTool[]; nextCursor?: string } {
  const from = cursor === '' ? 0 : tools.findIndex(({ name }) => name === cursor);
  let bytes = 0;
  const rest = tools.slice(from);
  const end = rest.findIndex((tool) => (bytes += Buffer.byteLength(JSON.stringify(tool))) > 8_000);
  return end < 0 ? { tools: rest } : { tools: rest.slice(0, end), nextCursor: rest[end]?.name ?? '' };
}

describe.each([
  ['tools-esp32host.json', 40],
  ['tools-pyxiaozhi.json', 19],
  ['tools-pyxiaozhi-1.1.8.json', 62],
])('the real list %s', (file, count) => {
  test.runIf(existsSync(corpus))(
    'becomes a registry, every tool and schema as it was, and each is called by its own name',
    async () => {
      const tools = JSON.parse(read(file)) as RecordedTool[];
      const { wsUrl, registry, device } = await openHub();
      const board = await connectScripted(wsUrl, {
        answer: ({ id, method, params }) => {
          if (method === 'tools/list') return { jsonrpc: '2.0', id, result: page(tools, params?.cursor ?? '') };
          if (method === 'tools/call')
            return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: params?.name }] } };
          return id === undefined
            ? undefined
            : { jsonrpc: '2.0', id, result: { serverInfo: { name: 'host-sim', version: '2.4.2' } } };
        },
      });
      board.hello();
      const source = await registry();
      expect(await device(() => true)).toMatchObject({ toolCount: count, state: 'ready' });
      expect((await device(() => true)).error).toBeUndefined();
      const { methods } = source.getMetadata();
      expect(methods.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
        tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      );
      expect(methods.filter(({ agentCallable }) => !agentCallable).map(({ name }) => name)).toEqual(
        tools.filter(({ annotations }) => annotations !== undefined).map(({ name }) => name),
      );
      for (const { name } of tools) expect((await source.invoke(name, {}, invokeOptions())).value).toBe(name);
    },
  );
});

/** The calls of a transcript: what was asked and the frame that answered, where it was not cut in the recording. */
function recordedCalls(file: string): { request: WireRequest; frame: string }[] {
  const requests = new Map<number, WireRequest>();
  const calls: { request: WireRequest; frame: string }[] = [];
  for (const line of read(file).split('\n')) {
    const [, direction, frame = ''] = /^\S+ (>>|<<) (?:\d+B |MALFORMED JSON for id \d+ )?(\{.*\})$/.exec(line) ?? [];
    if (direction === '>>') {
      const { payload } = JSON.parse(frame) as { payload?: WireRequest };
      if (payload?.method === 'tools/call' && payload.id !== undefined) requests.set(payload.id, payload);
    }
    const id = Number(/"id": ?(\d+)/.exec(frame)?.[1]);
    const request = requests.get(id);
    if (direction === '<<' && request !== undefined) calls.push({ request, frame });
  }
  return calls;
}

describe.each([
  ['transcript-esp32host.txt', 18],
  ['transcript-pyxiaozhi.txt', 11],
])('the recorded answers of %s', (file, atLeast) => {
  test.runIf(existsSync(corpus))("end each call, with the device's message", async () => {
    const calls = recordedCalls(file);
    expect(calls.length).toBeGreaterThanOrEqual(atLeast);
    let frame = '';
    const { wsUrl, registry } = await openHub();
    const board = await connectScripted(wsUrl, {
      answer: ({ id, method }) => {
        // The recorded frame as it was, with the id of our request in place of its own.
        if (method === 'tools/call') return frame.replace(/"id": ?\d+/, `"id":${id}`);
        const result = method === 'initialize' ? { serverInfo: { name: 'host-sim', version: '2.4.2' } } : { tools: [] };
        return id === undefined ? undefined : { jsonrpc: '2.0', id, result };
      },
    });
    board.hello();
    const source = await registry();
    for (const call of calls) {
      ({ frame } = call);
      const name = call.request.params?.name ?? '';
      const outcome = await source
        .invoke(name, (call.request.params?.arguments ?? {}) as JsonObject, invokeOptions())
        .catch((error: unknown) => error as ToolError);
      let recorded:
        | { payload: { result?: { content: JsonObject[]; isError: boolean }; error?: { message: string } } }
        | undefined;
      try {
        recorded = JSON.parse(frame) as typeof recorded;
      } catch {
        expect(outcome).toMatchObject({
          code: 'protocol-error',
          message: expect.stringContaining('not valid JSON') as string,
        });
        continue;
      }
      const { result, error } = recorded?.payload ?? {};
      if (error !== undefined) {
        expect(outcome).toBeInstanceOf(ToolError);
        expect((outcome as ToolError).message).toContain(error.message);
      } else {
        expect(outcome).not.toBeInstanceOf(Error);
        expect('isError' in outcome).toBe(result?.isError);
        if (result?.content[0]?.['type'] === 'text')
          expect(outcome).toMatchObject({ value: result.content[0]['text'] });
        else
          expect(outcome).toMatchObject({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] });
      }
    }
  });
});
