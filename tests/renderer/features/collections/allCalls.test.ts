import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import FoundCall from '../../../../renderer/features/collections/all/FoundCall.vue';
import HostCalls from '../../../../renderer/features/hosts/HostCalls.vue';
import { connectHost } from '../../../core/features/hosts/connectHost.ts';
import { dialog, until } from '../devices/acting.ts';
import { escape, field, fill, openMemory, pressIn, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

const search = 'Search names, arguments, results';
const rows = (all: HTMLElement): HTMLElement[] => [...all.querySelectorAll<HTMLElement>('[role="option"]')];

async function call(argsJson: string): Promise<void> {
  at.executor.open('lamp_set', argsJson);
  await at.executor.start();
  await until(() => at.executor.shown?.argsJson === argsJson);
}

async function openAll(): Promise<HTMLElement> {
  at.memory.open({ kind: 'all' });
  const all = await dialog('All calls');
  await until(() => /\d calls?|No call/.test(all.textContent));
  return all;
}

describe('all calls', () => {
  it('says that there is none, and closes at one Esc from its empty search', async () => {
    const all = await openAll();
    expect(all.textContent).toContain('No calls yet.');
    field(all, search).focus();
    await escape(all);
    await until(() => at.memory.dialog === undefined);
  });

  it('are searched while typing; Esc empties the search first', async () => {
    await call('{"note":"one"}');
    await call('{"note":"two"}');
    const all = await openAll();
    await until(() => rows(all).length === 2);
    // A screen reader hears how each ended.
    const verdicts = rows(all).map((row) => row.querySelector('[role="img"]')?.getAttribute('aria-label'));
    expect(verdicts).toEqual(['OK', 'OK']);
    await fill(all, search, 'TWO');
    await until(() => rows(all).length === 1);
    await fill(all, search, 'three');
    await until(() => all.textContent.includes('No matching calls.'));
    field(all, search).focus();
    await escape(all);
    expect(at.memory.dialog).toBeDefined();
    await until(() => rows(all).length === 2);
  });

  it('explain one that failed as the Executor does, once', async () => {
    await at.window.workbench.services.calls.execute({
      callId: 'invalid',
      toolName: 'lamp_set',
      argsJson: '{"level":"high"}',
      origin: 'executor',
    });
    const all = await openAll();
    await until(() => all.querySelector('.failure-text'));
    expect(all.querySelector('.failure-text')?.textContent).toMatch(/^Invalid arguments.*Correct the arguments/);
    expect(all.querySelector('.detail')?.textContent.match(/Invalid arguments|do not fit|Refused|Not called/g)).toEqual(
      ['Not called', 'Invalid arguments', 'do not fit'],
    );
  });

  it('show the error that a tool returned, as the list of its host does', async () => {
    at.window.workbench.toolRegistryManager.register({
      id: 'bills',
      name: 'Bills',
      source: { kind: 'builtin', id: 'bills', label: 'Bills' },
      getMetadata: () => ({
        methods: [{ name: 'pay', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke: () => Promise.resolve({ value: 'Invoice A-99 does not exist.', isError: true }),
    });
    const host = await connectHost(at.window.workbench);
    await host.callTool({ name: 'bills_pay', arguments: {} });
    const all = await openAll();
    await until(() => rows(all)[0]?.textContent.includes('Invoice A-99 does not exist.'));
    const { hosts } = at.window.workbench.services;
    const calls = hosts.calls({ id: hosts.state().hosts[0]!.id });
    expect(at.mount(HostCalls, { calls, label: 'Calls' }).text()).toContain('Invoice A-99 does not exist.');
  });

  it('show data that does not match the outputSchema, as the list of its host does', async () => {
    at.window.workbench.toolRegistryManager.register({
      id: 'scale',
      name: 'Scale',
      source: { kind: 'builtin', id: 'scale', label: 'Scale' },
      getMetadata: () => ({
        methods: [
          {
            name: 'weigh',
            description: '',
            agentCallable: true,
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object', required: ['grams'] },
          },
        ],
      }),
      invoke: () => Promise.resolve({ value: '', structuredContent: {} }),
    });
    const host = await connectHost(at.window.workbench);
    await host.callTool({ name: 'scale_weigh', arguments: {} }).catch(() => undefined);
    const all = await openAll();
    await until(() => rows(all)[0]?.querySelector('[aria-label="Output mismatch"]'));
    const { hosts } = at.window.workbench.services;
    const calls = hosts.calls({ id: hosts.state().hosts[0]!.id });
    expect(at.mount(HostCalls, { calls, label: 'Calls' }).text()).toContain('Output mismatch');
  });

  it('have the icons that they have in the Executor: cancelled and refused ones are no failures', async () => {
    at.window.workbench.toolRegistryManager.register({
      id: 'slow',
      name: 'Slow',
      source: { kind: 'builtin', id: 'slow', label: 'Slow' },
      getMetadata: () => ({
        methods: [{ name: 'wait', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke: (_, __, { signal }) => new Promise((_resolve, reject) => (signal.onabort = () => reject(signal.reason))),
    });
    const { calls } = at.window.connection.client;
    const rest = { argsJson: '{}', origin: 'executor' as const };
    const cancelled = calls.execute({ callId: 'one', toolName: 'slow_wait', ...rest });
    await until(async () => (await calls.running()).length === 1);
    await calls.cancel({ callId: 'one' });
    await cancelled;
    await calls.execute({ callId: 'two', toolName: 'slow_none', ...rest });
    const all = await openAll();
    await until(() => rows(all).length === 2);
    const icons = rows(all).map((row) => row.querySelector('svg')?.getAttribute('class'));
    expect(icons[0]).toMatch(/shield-x.* error/);
    expect(icons[1]).toMatch(/circle-slash.* t3/);
  });

  it('say of one that was never sent that its tool was not connected, as the detail does', async () => {
    const manager = at.window.workbench.toolRegistryManager;
    const source = { kind: 'gateway' as const, id: 'phone', label: 'Phone' };
    manager.register(defineToolRegistry({ id: 'phone', name: 'Phone', source, methods: [] }));
    manager.unregister('phone');
    const asked = { callId: 'one', toolName: 'phone_ring', argsJson: '{}', origin: 'executor' as const };
    const { error } = await at.window.connection.client.calls.execute(asked);
    expect(error?.code).toBe('disconnected');
    const all = await openAll();
    await until(() => rows(all).length === 1);
    expect(rows(all)[0]?.textContent).toContain('The client is not connected');
    await until(() => all.querySelector('.failure-text')?.textContent.startsWith('The client is not connected'));
  });

  it('say of one whose node was lost that it was not the device', () => {
    const source = { kind: 'device' as const, id: 'lamp', label: 'Lamp' };
    const facts = { seq: 1, callId: 'one', qualifiedName: 'lamp_set', origin: 'executor' as const, startedAt: 1 };
    const end = { durationMs: 1, status: 'error' as const, errorCode: 'disconnected', errorFacts: { node: 'lost' } };
    const call = { ...facts, ...end, source, args: '{}', result: '' };
    expect(at.window.mount(FoundCall, { call }).text()).toContain('The node of the device was lost');
  });

  it('name their caller, in the row and in the detail: the host, if it is one', async () => {
    const host = await connectHost(at.window.workbench);
    await host.callTool({ name: 'lamp_set', arguments: {} });
    await at.window.connection.client.calls.execute({
      callId: 'two',
      toolName: 'lamp_set',
      argsJson: '{}',
      origin: 'cli',
    });
    const all = await openAll();
    await until(() => rows(all).length === 2);
    expect(rows(all).map((row) => /from [A-Za-z ]+/.exec(row.textContent)?.[0].trim())).toEqual([
      'from the terminal',
      'from My host',
    ]);
    rows(all)[1]?.click();
    await until(() => all.querySelector('.detail')?.textContent.includes('from My host'));
  });

  it('say of when they are while the window is not connected, and offer no run', async () => {
    await call('{"note":"one"}');
    const all = await openAll();
    const again = (): Element | undefined =>
      [...all.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Run again');
    await until(() => again() !== undefined);
    const back = at.window.cut();
    await until(() => all.textContent.includes('This window shows the state as of'));
    expect(all.textContent).toContain('The window is not connected to Toolwire.');
    expect(again()?.getAttribute('aria-disabled')).toBe('true');
    back();
    await until(() => !all.textContent.includes('This window shows the state as of'));
    expect(again()?.getAttribute('aria-disabled')).not.toBe('true');
  });

  it('show an answer in the views that a fresh one has: its data, its blocks', async () => {
    at.window.workbench.toolRegistryManager.register({
      id: 'meter',
      name: 'Meter',
      source: { kind: 'builtin', id: 'meter', label: 'Meter' },
      getMetadata: () => ({
        methods: [{ name: 'read', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke: () =>
        Promise.resolve({
          value: 'It is warm.',
          content: [{ type: 'text', text: 'It is warm.' }],
          structuredContent: { celsius: 21 },
        }),
    });
    at.executor.open('meter_read', '{}');
    await at.executor.start();
    await until(() => at.executor.shown?.qualifiedName === 'meter_read');
    const all = await openAll();
    const tab = (name: string): HTMLElement | undefined =>
      [...all.querySelectorAll<HTMLElement>('[role="tab"]')].find(({ textContent }) => textContent.startsWith(name));
    await until(() => tab('Structured') !== undefined);
    expect(tab('Structured')?.getAttribute('aria-selected')).toBe('true');
    await until(() => all.querySelector('[role="tree"]')?.textContent.includes('celsius') === true);
    await pressIn(all, tab('Content')?.textContent ?? '');
    await until(() => all.querySelector('.blocks')?.textContent.includes('It is warm.') === true);
  });

  it('go back into the form, to be changed or run again', async () => {
    await call('{"note":"one"}');
    await call('{"note":"two"}');
    let all = await openAll();
    await until(() => rows(all).length === 2);
    rows(all)[1]?.click();
    await flushPromises();
    await until(
      () => rows(all)[1]?.getAttribute('aria-selected') === 'true' && all.textContent.includes('Edit and run'),
    );
    await pressIn(all, 'Edit and run');
    await until(() => at.memory.dialog === undefined);
    expect(JSON.parse(at.executor.text)).toEqual({ note: 'one' });
    all = await openAll();
    await until(() => all.textContent.includes('Run again'));
    await pressIn(all, 'Run again');
    await until(() => at.executor.run?.state.value.phase === 'done');
    expect(JSON.parse(at.executor.text)).toEqual({ note: 'two' });
  });

  it('lead from one to another that is compared with it', async () => {
    await call('{"note":"one"}');
    await call('{"note":"two"}');
    const all = await openAll();
    await until(() => rows(all).length === 2 && all.textContent.includes('Compare this result'));
    await pressIn(all, 'Compare this result');
    rows(all)[1]?.click();
    await until(() => all.textContent.includes('Compare with the chosen result'));
    await pressIn(all, 'Compare with the chosen result');
    const compared = await dialog('Compare results');
    await until(() => compared.textContent.includes('changed'));
  });
});
