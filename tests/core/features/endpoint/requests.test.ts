import { describe, expect, test, vi } from 'vitest';

import { all, openEndpoints, said } from './support.ts';

describe('requests of the other side', () => {
  test('initialize with id 0, ping, the list, and a call with a serial number', async () => {
    const { broker, service, become, errors } = await openEndpoints();
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const initialize = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'xz-mcp-broker', version: '0.0.1' },
    };
    broker.send('a', JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }));
    await vi.waitFor(() => expect(broker.received).toHaveLength(1));
    expect(JSON.parse(broker.received[0] ?? '')).toMatchObject({
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'toolwire' } },
    });
    const caller = await broker.call('a');
    caller.notify('notifications/initialized');
    expect(await caller.request(1, 'ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const list = await caller.request(2, 'tools/list');
    expect(list).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: {
        tools: [{ name: 'box_echo', description: 'The tool echo', inputSchema: { type: 'object', properties: {} } }],
      },
    });
    const call = { name: 'box_echo', arguments: { a: 1 }, serialNumber: 'SN-1' };
    expect(await caller.request('own id', 'tools/call', call)).toEqual({
      jsonrpc: '2.0',
      id: 'own id',
      result: { content: [{ type: 'text', text: '{"a":1}' }], isError: false },
    });
    expect(errors).toEqual([]);
  });

  test('ids and integers come back as they were written, and nothing is sent unasked', async () => {
    const { broker, service, become } = await openEndpoints();
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const call = '"method":"tools/call","params":{"name":"box_echo","arguments":{"n":9007199254740993}}';
    broker.send('a', `{"jsonrpc":"2.0","id":9007199254740993,${call}}\n`);
    broker.send('a', Buffer.from('{"jsonrpc":"2.0","id":"ü_n_7","method":"ping"}'));
    await vi.waitFor(() => expect(broker.received).toHaveLength(2));
    const answers = broker.received.toSorted().join('\n');
    expect(answers).toContain(
      '"id":9007199254740993,"result":{"content":[{"type":"text","text":"{\\"n\\":9007199254740993}"}]',
    );
    expect(answers).toContain('{"jsonrpc":"2.0","id":"ü_n_7","result":{}}');
  });

  test('a long list comes page by page', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`tool${at}`, { run: () => said('') }]));
    const { broker, service, become } = await openEndpoints(many);
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const caller = await broker.call('a');
    const names: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { result } = (await caller.request(2, 'tools/list', cursor === undefined ? {} : { cursor })) as {
        result: { tools: { name: string }[]; nextCursor?: string };
      };
      names.push(...result.tools.map(({ name }) => name));
      cursor = result.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    expect(names).toEqual(Array.from({ length: 120 }, (_, at) => `box_tool${at}`));
    expect(await caller.request(3, 'tools/list', { cursor: 'nonsense' })).toMatchObject({ error: { code: -32_602 } });
  });

  test('wrong requests are answered with an error, and the connection lives', async () => {
    const { broker, service, become, state } = await openEndpoints();
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const caller = await broker.call('a');
    expect(await caller.request(1, 'resources/list')).toMatchObject({ error: { code: -32_601 } });
    expect(await caller.request(2, 'tools/call', { name: 'no_such' })).toMatchObject({
      error: { code: -32_602, message: 'There is no tool "no_such".' },
    });
    expect(await caller.request(3, 'tools/call', { name: 'box_echo', arguments: [] })).toMatchObject({
      error: { code: -32_602 },
    });
    broker.send('a', 'not json');
    broker.send('a', `{"jsonrpc":"2.0","id":${'['.repeat(100_000)}${']'.repeat(100_000)},"method":"ping"}`);
    broker.send('a', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
    await vi.waitFor(() =>
      expect(
        broker.received.slice(-3).map((text) => (JSON.parse(text) as { error: { code: number } }).error.code),
      ).toEqual([-32_700, -32_700, -32_600]),
    );
    expect(state()).toBe('connected');
  });
});

describe('results', () => {
  const textOf = (answer: unknown): string =>
    (answer as { result: { content: { text: string }[] } }).result.content[0]?.text ?? '';

  test('do not link to a large picture, which the other side cannot read', async () => {
    const content = [{ type: 'image' as const, data: 'aGVs'.repeat(300_000), mimeType: 'image/jpeg' }];
    const { broker, service, become } = await openEndpoints({ photo: { run: () => ({ value: undefined, content }) } });
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const answer = await (await broker.call('a')).request(1, 'tools/call', { name: 'box_photo' });
    expect(textOf(answer)).toBe('A picture, image/jpeg, 900 kB. It is too large for the answer.');
  });

  test('are cut at a character, with a mark, to 1,024 bytes or what was set', async () => {
    const { broker, service, become } = await openEndpoints({
      han: { run: () => said('汉'.repeat(1_000)) },
      family: { run: () => said('👨‍👩‍👧‍👦'.repeat(200)) },
      short: { run: () => said('x'.repeat(1_024)) },
    });
    const { id } = await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const caller = await broker.call('a');
    const han = textOf(await caller.request(1, 'tools/call', { name: 'box_han' }));
    expect(Buffer.byteLength(han)).toBeLessThanOrEqual(1_024);
    expect(Buffer.byteLength(han)).toBeGreaterThan(1_015);
    expect(han).toMatch(/^汉+… \[cut, 3000 bytes\]$/);
    const family = textOf(await caller.request(2, 'tools/call', { name: 'box_family' }));
    expect(family).toMatch(/^(?:👨‍👩‍👧‍👦)+… \[cut, 5000 bytes\]$/u);
    expect(textOf(await caller.request(3, 'tools/call', { name: 'box_short' }))).toBe('x'.repeat(1_024));
    await service.change({ id, maxResultBytes: 64 });
    expect(Buffer.byteLength(textOf(await caller.request(4, 'tools/call', { name: 'box_han' })))).toBeLessThanOrEqual(
      64,
    );
  });

  test('a tool that takes too long is answered before the other side gives up, and cancelled', async () => {
    let isCancelled = false;
    const { broker, service, become, clock } = await openEndpoints({
      slow: {
        run: (_args, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              isCancelled = true;
              reject(signal.reason as Error);
            });
          }),
      },
      quick: { run: () => said('done') },
    });
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const caller = await broker.call('a');
    const slow = caller.request(1, 'tools/call', { name: 'box_slow' });
    // Its answer shows that the slow call has begun.
    expect(textOf(await caller.request(2, 'tools/call', { name: 'box_quick' }))).toBe('done');
    clock.pass(19_000);
    clock.pass(9_000);
    expect(await slow).toMatchObject({
      result: { content: [{ text: 'The tool did not answer within 28 s and was cancelled.' }], isError: true },
    });
    expect(isCancelled).toBe(true);
  });

  test('a tool that fails, and a call that the other side cancels, are answered', async () => {
    const { broker, service, become } = await openEndpoints({
      broken: {
        run: () => {
          throw new Error('no water');
        },
      },
      slow: {
        run: (_args, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      },
    });
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const caller = await broker.call('a');
    const broken = await caller.request(1, 'tools/call', { name: 'box_broken' });
    expect(broken).toMatchObject({ result: { isError: true } });
    expect(textOf(broken)).toContain('no water');
    broker.send('a', '{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"box_slow"}}');
    broker.send('a', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}');
    await vi.waitFor(() => expect(broker.received.some((text) => text.includes('"id":"c"'))).toBe(true));
    expect(broker.received.find((text) => text.includes('"id":"c"'))).toContain('"isError":true');
  });
});

test('the frames of an endpoint are recorded, and deleted with it', async () => {
  const { broker, service, become, recorded } = await openEndpoints();
  const { id } = await service.add({ url: broker.toolUrl('secret-token-of-agent'), chosen: all, enabled: true });
  await become('connected');
  const caller = await broker.call('secret-token-of-agent');
  await caller.request('x', 'tools/call', { name: 'box_echo', arguments: {} });
  broker.end('secret-token-of-agent', 4004);
  await become('waiting');
  expect(recorded.map(({ connection, direction, kind, note }) => [connection, direction, kind, note.summary])).toEqual([
    [`endpoint:${id}`, 'in', 'open', 'Connected to the endpoint'],
    [`endpoint:${id}`, 'in', 'text', 'tools/call box_echo'],
    [`endpoint:${id}`, 'out', 'text', 'answer to tools/call box_echo'],
    [`endpoint:${id}`, 'in', 'close', 'The connection ended (4004)'],
  ]);
  expect(JSON.stringify(recorded)).not.toContain('secret-token-of-agent');
  await service.remove({ id });
  expect(recorded).toEqual([]);
});
