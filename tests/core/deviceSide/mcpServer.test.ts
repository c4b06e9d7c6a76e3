import { describe, expect, test } from 'vitest';
import {
  McpServer,
  McpTool,
  Property,
  PropertyList,
  PropertyType,
  createIrManager,
  type JsonObject,
  type JsonValue,
  type ToolReturn,
} from '../../../src-core/device.ts';

const request = (method: string, params?: JsonValue, id: JsonValue = 1): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

async function ask(server: McpServer, payload: JsonValue): Promise<JsonObject> {
  return JSON.parse((await server.handle(payload)) ?? '{"silence":true}') as JsonObject;
}

const serverWith = (...tools: McpTool[]) => {
  const server = new McpServer({ name: 'desk-lamp', version: '0.3.0' });
  for (const tool of tools) server.addTool(tool);
  return server;
};

describe('the messages of py-xiaozhi', () => {
  test('a tool is registered, listed and called', async () => {
    const srv = McpServer.getInstance();
    expect(McpServer.getInstance()).toBe(srv);
    const hello = async (args: Readonly<Record<string, unknown>>): Promise<string> => `Hello, ${String(args['name'])}!`;
    srv.addTool(
      new McpTool({
        name: 'self.demo.hello',
        description: '示例工具：打招呼',
        properties: new PropertyList([new Property('name', PropertyType.STRING, { defaultValue: 'world' })]),
        callback: hello,
      }),
    );
    expect(srv.tools.map(({ name }) => name)).toEqual(['self.demo.hello']);
    expect(await ask(srv, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        tools: [
          {
            name: 'self.demo.hello',
            description: '示例工具：打招呼',
            inputSchema: { type: 'object', properties: { name: { type: 'string', default: 'world' } }, required: [] },
          },
        ],
      },
    });
    expect(await ask(srv, request('tools/call', { name: 'self.demo.hello', arguments: {} }))).toMatchObject({
      result: { content: [{ type: 'text', text: 'Hello, world!' }], isError: false },
    });
    expect(srv.removeTool('self.demo.hello')).toBe(true);
  });

  const ir = (exchange: () => Promise<Uint8Array>) => {
    const server = new McpServer();
    server.addManagers(
      createIrManager({ serial: { path: '/dev/ttyS1', exchange }, codes: { tv_power: 'A1 F1 04 FB 08' } }),
    );
    return server;
  };
  const sendNamed = JSON.parse(`{
    "jsonrpc": "2.0", "id": 2, "method": "tools/call",
    "params": { "name": "self.ir.send_named", "arguments": { "name": "tv_power" } }
  }`) as JsonObject;

  test('self.ir.send_named is listed, sends, and fails in its result', async () => {
    const listed = await ask(
      ir(async () => new Uint8Array()),
      JSON.parse('{ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} }') as JsonObject,
    );
    expect((listed as { result: { tools: unknown[] } }).result.tools[1]).toEqual(
      JSON.parse(`{
        "name": "self.ir.send_named",
        "description": "发送已保存的红外编码",
        "inputSchema": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }
      }`),
    );
    expect(
      await ask(
        ir(async () => new Uint8Array()),
        sendNamed,
      ),
    ).toEqual(
      JSON.parse(`{
        "jsonrpc": "2.0", "id": 2,
        "result": { "content": [ { "type": "text", "text": "发送成功（无回复）" } ], "isError": false }
      }`),
    );
    const denied = ir(() => Promise.reject(new Error('无法打开串口 /dev/ttyS1: Permission denied')));
    expect(await ask(denied, sendNamed)).toEqual(
      JSON.parse(`{
        "jsonrpc": "2.0", "id": 2,
        "result": { "content": [ { "type": "text", "text": "无法打开串口 /dev/ttyS1: Permission denied" } ], "isError": true }
      }`),
    );
  });
});

describe('what a callback returns', () => {
  const call = async (callback: () => ToolReturn | Promise<ToolReturn>) => {
    const tool = new McpTool({ name: 't', description: '', callback });
    return (await ask(serverWith(tool), request('tools/call', { name: 't' })))['result'] as JsonObject;
  };
  const text = (said: string, isError = false) => ({ content: [{ type: 'text', text: said }], isError });

  test.each<[ToolReturn, string]>([
    [true, 'true'],
    [false, 'false'],
    [42, '42'],
    ['', ''],
    ['好', '好'],
  ])('%j becomes text', async (returned, said) => {
    expect(await call(() => returned)).toEqual(text(said));
    expect(await call(async () => returned)).toEqual(text(said));
  });

  test('content goes as it is', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    expect(await call(() => image)).toEqual({ content: [image], isError: false });
    expect(await call(() => [image, { type: 'text', text: 'x' }])).toEqual({
      content: [image, { type: 'text', text: 'x' }],
      isError: false,
    });
  });

  test.each([undefined, null, Number.NaN, { any: 'thing' }, [{ type: 'image' }]])(
    '%j is a failure that says what may be returned',
    async (returned) => {
      // A program without types may return anything.
      const result = await call(() => returned as unknown as ToolReturn);
      expect(result).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).toContain('Return a boolean, a number, a string or content blocks.');
    },
  );

  test('what it throws, at once or later, is the reason in the result', async () => {
    expect(
      await call(() => {
        throw new Error('the "lamp" is off');
      }),
    ).toEqual(text('the "lamp" is off', true));
    expect(await call(() => Promise.reject(new Error('later')))).toEqual(text('later', true));
    expect(await call(() => Promise.reject(null))).toMatchObject({ isError: true });
  });
});

describe('requests that are not right', () => {
  const server = serverWith(
    new McpTool({
      name: 'self.lamp.set',
      description: 'Sets the lamp.',
      properties: new PropertyList([
        new Property('level', PropertyType.INTEGER, { minimum: 0, maximum: 100 }),
        new Property('warm', PropertyType.BOOLEAN, { defaultValue: false }),
      ]),
      callback: (args) => JSON.stringify(args),
    }),
  );

  test.each<[string, JsonValue, JsonValue, number, RegExp]>([
    ['a batch', [request('ping')], null, -32600, /one request a message/],
    ['no object', 'text', null, -32600, /Not a JSON object/],
    ['id null', request('ping', undefined, null), null, -32600, /"id"/],
    ['id of a wrong type', request('ping', undefined, true), null, -32600, /"id"/],
    ['jsonrpc 1.0', { ...request('ping'), jsonrpc: '1.0' }, 1, -32600, /"jsonrpc" must be "2.0"/],
    ['a method that is not a string', { ...request('ping'), method: 5 }, 1, -32600, /"method"/],
    ['an unknown method', request('resources/list'), 1, -32601, /resources\/list/],
    ['params of a wrong type', request('tools/list', [1]), 1, -32602, /"params" must be an object/],
    ['a cursor of a wrong type', request('tools/list', { cursor: 5 }), 1, -32602, /"cursor"/],
    ['an unknown cursor', request('tools/list', { cursor: 'gone' }), 1, -32602, /gone/],
    ['no tool name', request('tools/call', {}), 1, -32602, /"name"/],
  ])('%s is a JSON-RPC error', async (_name, payload, id, code, message) => {
    expect(await ask(server, payload)).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.stringMatching(message) as string },
    });
  });

  test('an unknown tool is a result that says so, as every failure of a call', async () => {
    expect(await ask(server, request('tools/call', { name: '__proto__' }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'Unknown tool: __proto__' }], isError: true },
    });
  });

  test.each<[string, JsonValue]>([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an answer', { jsonrpc: '2.0', id: 5, result: {} }],
  ])('%s gets no answer', async (_name, payload) => {
    expect(await server.handle(payload)).toBeUndefined();
  });

  test.each<[JsonValue, RegExp]>([
    [{}, /Missing required argument: level \(integer\)/],
    [{ level: '30' }, /argument level: it must be of type integer/],
    [{ level: 30.5 }, /level: it must be of type integer/],
    [{ level: 1e300 }, /level: it must be of type integer/],
    [{ level: true }, /level: it must be of type integer/],
    [{ level: null }, /level: it must be of type integer/],
    [{ level: 101 }, /level is out of range: 101 is above the maximum 100/],
    [{ level: -1 }, /level is out of range: -1 is below the minimum 0/],
    [{ level: 5, warm: 1 }, /argument warm: it must be of type boolean/],
    [{ LEVEL: 5 }, /Missing required argument: level/],
    [[5], /arguments.* must be an object/],
  ])('arguments %j are a failure in the result that names them', async (args, message) => {
    const answer = await ask(server, request('tools/call', { name: 'self.lamp.set', arguments: args }));
    expect(answer).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(answer)).toMatch(message);
  });

  test('extra arguments are left out, defaults filled in, and __proto__ is a name like any other', async () => {
    const args = JSON.parse('{"level": 5, "__proto__": {"warm": true}, "more": 1}') as JsonObject;
    expect(await ask(server, request('tools/call', { name: 'self.lamp.set', arguments: args }))).toMatchObject({
      result: { content: [{ text: '{"level":5,"warm":false}' }], isError: false },
    });
  });
});

describe('the server', () => {
  test('says who it is, and remembers where pictures are explained', async () => {
    const server = serverWith();
    const capabilities = { vision: { url: 'http://127.0.0.1/explain', token: 'v' } };
    expect(await ask(server, request('initialize', { protocolVersion: '2024-11-05', capabilities }))).toMatchObject({
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'desk-lamp', version: '0.3.0' },
      },
    });
    expect(server.vision).toEqual(capabilities.vision);
    await ask(server, request('initialize', { capabilities: { vision: { url: 5 } } }));
    expect(server.vision).toEqual(capabilities.vision);
    expect(await ask(server, request('ping'))).toMatchObject({ result: {} });
  });

  test('refuses a second tool with the same name, and all tools of a manager if one is refused', () => {
    const tool = (name: string) => new McpTool({ name, description: '', callback: () => 1 });
    const server = serverWith(tool('a'));
    expect(() => server.addTool(tool('a'))).toThrow('a tool "a" already');
    const manager = {
      initTools: (add: (tool: McpTool) => void) => {
        add(tool('b'));
        add(tool('a'));
      },
    };
    expect(() => server.addManagers(manager)).toThrow('a tool "a" already');
    expect(server.tools.map(({ name }) => name)).toEqual(['a']);
    expect(server.removeTool('b')).toBe(false);
  });

  test('refuses more calls than it may run, and takes more when they have ended', async () => {
    let end = (): void => {};
    const slow = new McpTool({
      name: 'slow',
      description: '',
      callback: () => new Promise<boolean>((resolve) => (end = () => resolve(true))),
    });
    const server = new McpServer({ maxRunningCalls: 1 });
    server.addTool(slow);
    const call = request('tools/call', { name: 'slow' });
    const first = ask(server, call);
    expect(await ask(server, call)).toMatchObject({ result: { isError: true } });
    end();
    expect(await first).toMatchObject({ result: { isError: false } });
    const third = ask(server, call);
    end();
    expect(await third).toMatchObject({ result: { isError: false } });
  });

  test.each<[() => unknown, RegExp]>([
    [() => new Property('', PropertyType.STRING), /needs a name/],
    [() => new Property('p', 'float' as 'string'), /"p": the type must be/],
    [() => new Property('p', PropertyType.STRING, { minimum: 1 }), /"p": only an integer/],
    [() => new Property('p', PropertyType.INTEGER, { minimum: 0.5 }), /"p": minimum and maximum must be whole/],
    [() => new Property('p', PropertyType.INTEGER, { minimum: 2, maximum: 1 }), /minimum 2 is above the maximum 1/],
    [() => new Property('p', PropertyType.INTEGER, { defaultValue: 'x' }), /default x is wrong: it must be of type/],
    [() => new Property('p', PropertyType.INTEGER, { defaultValue: 9, maximum: 5 }), /9 is above the maximum 5/],
    [
      () => new PropertyList([new Property('p', PropertyType.STRING), new Property('p', PropertyType.STRING)]),
      /Two properties are named "p"/,
    ],
    [() => new McpTool({ name: '', description: '', callback: () => 1 }), /needs a name/],
  ])('a part that cannot work is refused where it is made (%#)', (make, message) => {
    expect(make).toThrow(message);
  });
});
