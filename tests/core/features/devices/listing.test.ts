import { describe, expect, test, vi } from 'vitest';
import { listTools } from '../../../../src-core/features/devices/session/listTools.ts';
import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import { connectScripted, standardAnswer } from './support/scriptedDevice.ts';
import type { WireRequest } from './support/scriptedDevice.ts';

const tool = (name: string, more: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

/** A device whose tools/list is answered by `page`, and the hub it is connected to. */
async function listing(page: (cursor: string, request: WireRequest) => object | undefined, options = {}) {
  const opened = await openHub(options);
  const board = await connectScripted(opened.wsUrl, {
    answer: (request) => {
      if (request.method !== 'tools/list') return standardAnswer(request);
      const result = page(request.params?.cursor ?? '', request);
      return result === undefined || 'error' in result
        ? result && { jsonrpc: '2.0', id: request.id, ...result }
        : { jsonrpc: '2.0', id: request.id, result };
    },
  });
  board.hello();
  return { ...opened, board };
}

describe('tools/list', () => {
  test('is followed over eight pages, in order, with the same flags', async () => {
    const { device, registry, board } = await listing((cursor) => {
      const page = cursor === '' ? 0 : Number(cursor.slice(1));
      return { tools: [tool(`a${page}`), tool(`b${page}`)], ...(page < 7 ? { nextCursor: `p${page + 1}` } : {}) };
    });
    const info = await device(({ state }) => state === 'ready');
    expect(info).toMatchObject({ toolCount: 16 });
    expect(info.error).toBeUndefined();
    const names = (await registry()).getMetadata().methods.map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(['a0', 'b0', 'a1', 'b1']);
    const lists = board.requests.filter(({ method }) => method === 'tools/list');
    expect(lists.map(({ params }) => params)).toEqual(
      ['', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'].map((cursor) => ({ cursor, withUserTools: true })),
    );
  });

  test('ends if a cursor is repeated, and keeps the tools so far', async () => {
    const { device, registry, board } = await listing((cursor) => ({
      tools: cursor === '' ? [tool('one')] : [],
      nextCursor: 'too.big',
    }));
    const info = await device(({ state }) => state === 'ready');
    expect(info).toMatchObject({ toolCount: 1, error: { code: 'list-incomplete' } });
    expect(info.error?.message).toContain('The cursor "too.big" was sent twice; a tool may be too large for a page.');
    expect((await registry()).getMetadata().error).toBe(info.error?.message);
    expect(board.requests.filter(({ method }) => method === 'tools/list')).toHaveLength(2);
  });

  test('keeps the first pages if a later one is an error, invalid or missing', async () => {
    const clock = createManualClock();
    const answers: Record<string, object | undefined> = {
      error: { error: { message: 'Failed to add tool  because of payload size limit' } },
      'no list': { nothing: true },
      silence: undefined,
    };
    const problems: Record<string, string> = {
      error: 'Page 2 was answered with the error “Failed to add tool  because of payload size limit”.',
      'no list': 'Page 2 has no list "tools".',
      silence: 'Page 2 did not arrive in time.',
    };
    for (const [what, answer] of Object.entries(answers)) {
      const { device, board } = await listing(
        (cursor) => (cursor === '' ? { tools: [tool('one')], nextCursor: 'two' } : answer),
        { clock },
      );
      await board.frame(({ payload }) => payload?.params?.cursor === 'two');
      if (answer === undefined) clock.advance(10_000);
      const info = await device(({ state }) => state === 'ready');
      expect([what, info.toolCount, info.error?.code]).toEqual([what, 1, 'list-incomplete']);
      expect(info.error?.message).toBe(`Some tools may be missing. ${problems[what]}`);
    }
  });

  test.each([
    ['an error', { error: { message: 'no tools today' } }, 'no tools today'],
    ['no list', { tools: 'none' }, 'without a list'],
  ])('whose first page is %s fails the handshake', async (_what, answer, words) => {
    const { device, toolRegistryManager } = await listing(() => answer);
    const info = await device(({ state }) => state === 'failed');
    expect(info.error).toMatchObject({ code: 'list-error', message: expect.stringContaining(words) as string });
    expect(toolRegistryManager.getAllTools()).toEqual([]);
  });

  test('loses only the malformed and doubled entries, and says which', async () => {
    const deep = JSON.parse(`${'{"properties":'.repeat(40)}{}${'}'.repeat(40)}`) as object;
    const { device, registry } = await listing(() => ({
      tools: [
        tool('good', { inputSchema: { type: 'object', properties: { ['__proto__']: { type: 'integer' } } } }),
        null,
        'text',
        tool(''),
        { description: 'nameless' },
        tool('good', { description: 'again' }),
        tool('odd', { inputSchema: 'none' }),
        tool('deep', { inputSchema: deep }),
        tool('x'.repeat(300)),
        { name: 'bare' },
      ],
    }));
    const info = await device(({ state }) => state === 'ready');
    expect((await registry()).getMetadata().methods.map(({ name, description }) => [name, description])).toEqual([
      ['good', 'good'],
      ['bare', ''],
    ]);
    expect(info.error?.message).toMatch(
      /^"good" is listed twice; the first one is used\. An entry .* Further problems: 3\.$/,
    );
    expect(info).toMatchObject({ health: 'tools-invalid', error: { code: 'tools-invalid' } });
    expect(info.doctor).toMatchObject({
      cause: 'tools-invalid',
      steps: expect.arrayContaining([expect.objectContaining({ id: 'tools', state: 'done' })]) as unknown,
    });
  });

  test('names a type in a schema that JSON Schema does not have', async () => {
    const inputSchema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: ['string', 'objekt'] } } },
    };
    const { device } = await listing(() => ({ tools: [tool('odd', { inputSchema }), tool('even')] }));
    const info = await device(({ state }) => state === 'ready');
    expect(info).toMatchObject({ toolCount: 2, health: 'tools-invalid' });
    expect(info.error?.message).toBe('The inputSchema of "odd" has the unknown type "objekt".');
  });

  test('is bounded in tools, pages and length', async () => {
    const endless = (cursor: string) => ({
      tools: [tool(`t${cursor}`, { description: 'd'.repeat(1_000) })],
      nextCursor: `${cursor}n`,
    });
    for (const [limits, words] of [
      [{ maxTools: 3 }, 'more than 3 tools'],
      [{ maxPages: 4 }, 'more than 4 pages'],
      [{ maxListChars: 5_000 }, 'longer than 5000 characters'],
    ] as const) {
      const { device } = await listing(endless, { limits });
      expect((await device(({ state }) => state === 'ready')).error?.message).toContain(words);
    }
  });
});

describe('a device as a registry', () => {
  test('marks user-only tools and dangerous ones', async () => {
    const { registry } = await listing(() => ({
      tools: [
        tool('self.get_device_status'),
        tool('self.reboot', { annotations: { audience: ['user'] } }),
        tool('self.upgrade_firmware', { annotations: { audience: ['user'] } }),
        tool('self.assets.set_download_url'),
        tool('self.system.reconfigure_wifi'),
        tool('self.application.kill'),
        tool('self.application.launch'),
        tool('self.application.list_running'),
        tool('self.screen.get_info', { annotations: { audience: ['user', 'assistant'] } }),
      ],
    }));
    const { source, queued, getMetadata } = await registry();
    expect(queued).toBe(true);
    expect(source).toEqual({ kind: 'device', id: '02:00:00:aa:bb:cc', label: 'host-sim' });
    const methods = getMetadata().methods;
    expect(methods.filter(({ danger }) => danger !== undefined).map(({ name }) => name)).toEqual([
      'self.reboot',
      'self.upgrade_firmware',
      'self.assets.set_download_url',
      'self.system.reconfigure_wifi',
      'self.application.kill',
      'self.application.launch',
    ]);
    expect(methods.filter(({ agentCallable }) => !agentCallable).map(({ name }) => name)).toEqual([
      'self.reboot',
      'self.upgrade_firmware',
    ]);
  });

  test('announces a change when its tools are listed again', async () => {
    let tools = [tool('one')];
    const { hub, registry, toolRegistryManager } = await listing(() => ({ tools }));
    const source = await registry();
    const events: string[] = [];
    toolRegistryManager.onChange(({ type, id }) => events.push(`${type} ${id}`));
    tools = [tool('two')];
    expect(await hub.refreshTools('02:00:00:aa:bb:cc')).toEqual({ toolCount: 1, changes: 2 });
    expect(events).toEqual([`changed ${source.id}`]);
    expect(source.getMetadata().methods.map(({ name }) => name)).toEqual(['two']);
  });

  test('keeps its tools if listing them again is cancelled', async () => {
    let isSilent = false;
    const { hub, registry, board } = await listing(() => (isSilent ? undefined : { tools: [tool('one')] }));
    const source = await registry();
    isSilent = true;
    const stop = new AbortController();
    const listingAgain = hub.refreshTools('02:00:00:aa:bb:cc', stop.signal);
    await vi.waitUntil(() => board.requests.filter(({ method }) => method === 'tools/list').length === 2);
    stop.abort();
    await expect(listingAgain).rejects.toMatchObject({ code: 'cancelled' });
    expect(source.getMetadata().methods.map(({ name }) => name)).toEqual(['one']);
  });
});

test('of a million entries that are not tools, 100 problems are kept', async () => {
  const entries = Array.from({ length: 1_000_000 }, () => 1);
  const { tools, problems } = await listTools({
    requestPage: () => Promise.resolve({ ok: true, id: 1, result: { tools: entries }, chars: 2_000_000 }),
    withUserTools: true,
    limits: { maxPages: 1, maxTools: 1, maxListChars: 3_000_000 },
  });
  expect([tools.length, problems.length]).toEqual([0, 100]);
});
