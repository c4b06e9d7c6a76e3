/** What a host is offered: chosen tools, a search in place of the list, and another alias. */
import { describe, expect, it, vi } from 'vitest';

import type { ChosenTools } from '../../../../src-core/contract/hosts.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectBoard } from './board.ts';
import { connectHost, newToken } from './connectHost.ts';

const eras = ['legacy', 'modern'] as const;
const kitchen = '02:00:00:aa:be:01';
const status = 'kitchen_be01_get_device_status';
const none: ChosenTools = { all: false, sources: [], tools: [] };

async function openKitchen() {
  const workbench = await openWorkbench();
  const board = await connectBoard(workbench, kitchen);
  return { workbench, board, hosts: workbench.services.hosts };
}

function textOf({ content }: { content: { type: string; text?: string }[] }): string {
  return content.map(({ text }) => text ?? '').join('\n');
}

async function namesOf(client: Awaited<ReturnType<typeof connectHost>>): Promise<string[]> {
  return (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map(({ name }) => name);
}

describe.each(eras)('a host with chosen tools, %s', (era) => {
  it('lists and calls those only', async () => {
    const { workbench, board } = await openKitchen();
    const chosen = { ...none, tools: [status] };
    const { token } = newToken(workbench, { kind: 'chosen', chosen });
    const client = await connectHost(workbench, { era, token });
    expect(await namesOf(client)).toEqual([status]);
    expect((await client.callTool({ name: status })).isError).not.toBe(true);
    await expect(client.callTool({ name: 'kitchen_be01_reboot' })).rejects.toThrow('There is no tool');
    expect(board.calls()).toHaveLength(1);
    const misspelt = `${status.slice(0, -1)}x`;
    await expect(client.callTool({ name: misspelt })).rejects.toThrow(`Did you mean "${status}"?`);
  });

  it('lists a call of a name that the host is not offered, which no tool gets, even if one has that name', async () => {
    const { workbench, board, hosts } = await openKitchen();
    const own = 'clock_get_time';
    expect(workbench.toolRegistryManager.getTool('clock')).toBeDefined();
    const { token } = newToken(workbench, { kind: 'chosen', chosen: none });
    const client = await connectHost(workbench, { era, token });
    for (const name of ['no_such_tool', own, 'x'.repeat(5_000)])
      await expect(client.callTool({ name, arguments: { volume: 42 } })).rejects.toThrow('There is no tool');
    expect(board.calls()).toEqual([]);
    const calls = await workbench.services.calls.history({ limit: 10 });
    expect(calls.map(({ qualifiedName, result }) => [qualifiedName, result?.error?.code])).toEqual([
      ['x'.repeat(200), 'unknown-tool'],
      [own, 'unknown-tool'],
      ['no_such_tool', 'unknown-tool'],
    ]);
    const listed = hosts.calls({ id: hosts.state().hosts[0]?.id ?? '' });
    expect(listed.map(({ name, error }) => [name.length, error?.code])).toEqual(
      [200, own.length, 12].map((length) => [length, 'unknown-tool']),
    );
  });

  it('keeps a chosen tool whose name or alias changes', async () => {
    const { workbench, hosts } = await openKitchen();
    const { token } = newToken(workbench, { kind: 'chosen', chosen: { ...none, tools: [status] } });
    const client = await connectHost(workbench, { era, token });
    hosts.setAlias({ source: `device:${kitchen}`, alias: 'stove' });
    expect(await namesOf(client)).toEqual(['stove_get_device_status']);
    hosts.rename({ name: 'stove_get_device_status', to: 'how_is_it' });
    expect(await namesOf(client)).toEqual(['how_is_it']);
    expect(hosts.state().hosts[0]?.scope).toMatchObject({ chosen: { tools: ['how_is_it'] } });
  });

  it('learns of another selection, and its session goes on', async () => {
    const { workbench, hosts } = await openKitchen();
    const { id, token } = newToken(workbench);
    const client = await connectHost(workbench, { era, token });
    expect(await namesOf(client)).toContain('clock_get_time');
    const scope = { kind: 'chosen' as const, chosen: { ...none, sources: [`device:${kitchen}`] } };
    hosts.change({ id, scope, finds: false });
    const names = await namesOf(client);
    expect(names).toContain(status);
    expect(names).not.toContain('clock_get_time');
    expect(hosts.state().hosts[0]).toMatchObject({ scope, finds: false, tools: names.length });
  });

  it('finds a tool and calls it in place of a list', async () => {
    const { workbench, board, hosts } = await openKitchen();
    const { token } = hosts.create({ name: 'Searches', scope: 'all', finds: true });
    const client = await connectHost(workbench, { era, token });
    expect(await namesOf(client)).toEqual(['find_tool', 'call_tool']);
    const found = textOf(await client.callTool({ name: 'find_tool', arguments: { query: 'speaker volume' } }));
    const [first] = JSON.parse(found) as { name: string; inputSchema: object }[];
    expect(first).toMatchObject({ name: 'kitchen_be01_audio_speaker_set_volume', inputSchema: { type: 'object' } });
    await client.callTool({ name: 'call_tool', arguments: { name: first?.name, arguments: { volume: 42 } } });
    expect(board.calls()).toEqual([{ name: 'self.audio_speaker.set_volume', arguments: { volume: 42 } }]);
    expect(hosts.state().hosts[0]).toMatchObject({ finds: true, lastCall: first?.name });
  });

  it('says what to do if nothing is found, or what is called does not exist', async () => {
    const { workbench, hosts } = await openKitchen();
    const { token } = hosts.create({ name: 'Searches', scope: { kind: 'chosen', chosen: none }, finds: true });
    const client = await connectHost(workbench, { era, token });
    const call = async (name: string, args: Record<string, unknown>) =>
      textOf(await client.callTool({ name, arguments: args }));
    expect(await call('find_tool', { query: 'teleport' })).toContain('No tool matches.');
    expect(await call('find_tool', { query: 3 })).toContain('"query" must be a string');
    expect(await call('call_tool', { name: status })).toBe(
      `There is no tool "${status}". find_tool returns the tools that can be called.`,
    );
    expect(await call('call_tool', {})).toContain('"name" is missing');
    expect(await call('call_tool', { name: status, arguments: [1] })).toContain('"arguments" is an object');
  });

  it('asks before a dangerous call that it found, too', async () => {
    const { workbench, board, hosts } = await openKitchen();
    const { token } = hosts.create({ name: 'Searches', scope: 'all', finds: true });
    const client = await connectHost(workbench, { era, token });
    const result = await client.callTool({ name: 'call_tool', arguments: { name: 'kitchen_be01_reboot' } });
    expect(result.isError).toBe(true);
    expect(board.calls()).toEqual([]);
  });
});

describe('the alias of a source', () => {
  it('is changed, and hosts are told', async () => {
    const { workbench, hosts } = await openKitchen();
    const client = await connectHost(workbench);
    const onChange = vi.fn();
    client.setNotificationHandler('notifications/tools/list_changed', onChange);
    const listened = await client.listen({ toolsListChanged: true });
    hosts.setAlias({ source: `device:${kitchen}`, alias: 'stove' });
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
    expect(await namesOf(client)).toContain('stove_get_device_status');
    expect(hosts.tools({ scope: 'all' }).find(({ name }) => name === 'stove_get_device_status')?.alias).toBe('stove');
    await listened.close();
  });

  it('is refused for a source that hosts are not offered, and if it does not fit', async () => {
    const { hosts } = await openKitchen();
    expect(() => hosts.setAlias({ source: 'device:unknown', alias: 'stove' })).toThrow(
      'The tools of "device:unknown" are no longer offered to hosts.',
    );
    for (const alias of ['', 'a b', '_a', 'a_', 'a__b', 'x'.repeat(17)])
      expect(() => hosts.setAlias({ source: `device:${kitchen}`, alias })).toThrow(
        'An alias consists of 1 to 16 letters',
      );
  });

  it('is never that of another source, and returns to its own', async () => {
    const { workbench, hosts } = await openKitchen();
    await connectBoard(workbench, '02:00:00:aa:be:02');
    hosts.setAlias({ source: `device:${kitchen}`, alias: 'stove' });
    for (const alias of ['stove', 'kitchen_be01'])
      expect(() => hosts.setAlias({ source: 'device:02:00:00:aa:be:02', alias })).toThrow('is or was the alias');
    hosts.setAlias({ source: `device:${kitchen}`, alias: 'kitchen_be01' });
    expect(hosts.tools({ scope: 'all' }).map(({ name }) => name)).toContain(status);
  });

  it('leaves a name that was chosen', async () => {
    const { hosts } = await openKitchen();
    hosts.rename({ name: status, to: 'how_is_it' });
    hosts.setAlias({ source: `device:${kitchen}`, alias: 'stove' });
    const names = hosts.tools({ scope: 'all' }).map(({ name }) => name);
    expect(names).toContain('how_is_it');
    expect(names).toContain('stove_audio_speaker_set_volume');
    expect(names).not.toContain('stove_get_device_status');
  });
});
