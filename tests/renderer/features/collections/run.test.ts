import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { useCollections } from '../../../../renderer/features/collections/collectionsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { dialog, until } from '../devices/acting.ts';
import { escape, openMemory, pressIn, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  setLanguage('en');
  await at.close();
  expect(at.window.errors).toEqual([]);
});

const manifest = { format: 1, name: 'Lamps', order: ['good.call.json', 'bad.call.json', 'last.call.json'] };
const good = { name: 'good', tool: 'lamp_set', arguments: { level: 5 } };
const bad = {
  name: 'bad',
  tool: 'lamp_set',
  arguments: { level: 5 },
  assertions: [{ check: 'path', path: '$.level', op: 'equals', value: 6 }],
};
const files = { 'toolwire.json': manifest, 'good.call.json': good, 'bad.call.json': bad };

async function openRun(more: Record<string, unknown>, only?: string[]): Promise<HTMLElement> {
  const folder = await at.folder({ ...files, ...more });
  at.memory.open({ kind: 'run', folder, ...(only && { only }) });
  return dialog('Run ');
}

const lines = (run: HTMLElement): string[] =>
  [...run.querySelectorAll('li')].map((line) => line.textContent.replaceAll(/\s+/g, ' ').trim());

describe('a run', () => {
  it('lists what it will call, then what came of each, and what was not as it should be', async () => {
    const run = await openRun({ 'last.call.json': { ...good, name: 'last' } });
    expect(lines(run)).toEqual(['goodlamp_set', 'badlamp_set', 'lastlamp_set']);
    // A second Enter, quickly after that which opened the dialog, runs nothing.
    await until(() => document.activeElement === run.querySelector('ul'));
    await pressIn(run, 'Run 3 calls');
    await until(() => run.textContent.includes('2 passed, 1 failed, 0 skipped'));
    expect(lines(run)[0]).toContain('goodpassed');
    expect(lines(run)[1]).toContain('$.level equals 6not metGot 5');
    expect(lines(run)).toHaveLength(3);
    await pressIn(run, 'Run again');
    await until(() => run.textContent.includes('2 passed, 1 failed, 0 skipped'));
  });

  it('marks the calls that cannot run, also for a wrong path, and counts the others', async () => {
    const wrong = { ...bad, assertions: [{ check: 'path', path: 'level', op: 'exists' }] };
    const run = await openRun({ 'bad.call.json': wrong, 'last.call.json': { ...good, argument: {} } });
    expect(lines(run)).toEqual([
      'goodlamp_set',
      expect.stringContaining('"level" is not a JSON path'),
      expect.stringContaining('unknown field "argument"'),
    ]);
    await pressIn(run, 'Run 1 of 3 calls');
    await until(() => run.textContent.includes('1 passed, 2 failed, 0 skipped'));
    expect(lines(run)[1]).toContain('The file cannot be used: assertions.0.path');
  });

  it('states what was expected of a status, too; a row opens its call in the form, with its result', async () => {
    const run = await openRun({ 'bad.call.json': { ...bad, assertions: [{ check: 'status', is: 'timeout' }] } }, [
      'bad.call.json',
    ]);
    await pressIn(run, 'Run 1 call');
    await until(() => run.textContent.includes('0 passed, 1 failed, 0 skipped'));
    expect(lines(run)[0]).toContain('Statustimeoutnot metGot success');
    await pressIn(run, 'bad');
    await until(() => at.memory.dialog === undefined);
    const { toolName, origin, shown } = at.executor;
    expect({ toolName, file: origin?.file, result: shown?.result.result }).toMatchObject({
      toolName: 'lamp_set',
      file: 'bad.call.json',
      result: expect.stringContaining('5'),
    });
  });

  it('of one call lists and runs that one', async () => {
    const run = await openRun({}, ['bad.call.json']);
    expect(lines(run)).toEqual(['badlamp_set']);
    await pressIn(run, 'Run 1 call');
    await until(() => run.textContent.includes('0 passed, 1 failed, 0 skipped'));
  });

  it('stops at the first that fails if that is wanted', async () => {
    const run = await openRun({ 'last.call.json': { ...good, name: 'last' } });
    run.querySelector<HTMLElement>('[aria-label="Stop at the first failure"]')?.click();
    await pressIn(run, 'Run 3 calls');
    await until(() => run.textContent.includes('1 passed, 1 failed, 1 skipped'));
    expect(lines(run)[2]).toContain('an earlier call failed');
  });

  it('names the environment it runs with, and lets another be chosen, here and in the list', async () => {
    const level = { ...good, arguments: { level: '{{n}}' } };
    const run = await openRun({
      'good.call.json': { ...level, assertions: [{ check: 'path', path: '$.level', op: 'equals', value: 2 }] },
      'bad.call.json': level,
      'environments/prod.json': { variables: { n: 2 } },
    });
    const environment = run.querySelector<HTMLElement>('[aria-label="Environment"]');
    expect(environment?.textContent).toContain('No environment');
    environment?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const option = await until(() =>
      [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(({ textContent }) => textContent === 'prod'),
    );
    option.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => environment?.textContent.includes('prod'));
    expect(at.collections.environmentOf(at.collections.list[0]!)).toBe('prod');
    await pressIn(run, 'Run 2 calls');
    await until(() => run.textContent.includes('2 passed, 0 failed, 0 skipped'));
  });

  it('asks which of several devices `{{$device}}` means, and remembers it for the window, also after a reload', async () => {
    const { client } = at.window.connection;
    await client.devices.addVirtual({ name: 'Desk' });
    await client.devices.addVirtual({ name: 'Door' });
    const tools = at.window.use(() => useTools());
    const devices = () => tools.list.filter(({ source, methods }) => source.kind === 'device' && methods.length > 0);
    await until(() => devices().length === 2);
    const run = await openRun(
      { 'good.call.json': { name: 'good', tool: '{{$device}}_self.get_device_status', arguments: {} } },
      ['good.call.json'],
    );
    const start = (): HTMLElement | undefined =>
      [...run.querySelectorAll<HTMLElement>('button')].find(({ textContent }) => textContent?.includes('Run 1 call'));
    expect(start()?.getAttribute('aria-disabled')).toBe('true');
    const choice = run.querySelector<HTMLElement>('[aria-label="Device"]');
    choice?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const option = await until(() =>
      [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(({ textContent }) => textContent === 'Door'),
    );
    option.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => start()?.getAttribute('aria-disabled') !== 'true');
    await pressIn(run, 'Run 1 call');
    await until(() => run.textContent.includes('1 passed, 0 failed, 0 skipped'));
    const door = devices().find(({ name }) => name === 'Door')?.id;
    const [last] = (await client.calls.search({ limit: 1 })).rows;
    expect(last?.qualifiedName).toBe(`${door}_self.get_device_status`);
    expect(at.collections.device).toBe(door);
    await at.window.reload();
    await until(() => at.window.use(() => useCollections()).device === door);
  });

  it('that is stopped ends, and still lists what was not run', async () => {
    const run = await openRun({ 'bad.call.json': { ...bad, tool: 'lamp_wait' }, 'last.call.json': good });
    await pressIn(run, 'Run 3 calls');
    await until(() => lines(run)[0]?.includes('passed'));
    await pressIn(run, 'Stop');
    await until(() => run.textContent.includes('Run again'));
    expect(lines(run)).toHaveLength(3);
  });

  it('ends with its dialog, half-way', async () => {
    const run = await openRun({ 'bad.call.json': { ...bad, tool: 'lamp_wait' } });
    await pressIn(run, 'Run 2 calls');
    await until(() => lines(run)[0]?.includes('passed'));
    await escape(run);
    await until(() => at.memory.dialog === undefined);
    const last = async () => (await at.window.connection.client.calls.search({ limit: 10 })).rows;
    await until(async () =>
      (await last()).some(({ qualifiedName, status }) => qualifiedName === 'lamp_wait' && status === 'error'),
    );
  });

  it('says what is missing of a call in the language of the window', async () => {
    const missing = { ...good, arguments: { note: '{{city}}' } };
    const folder = await at.folder({ 'toolwire.json': manifest, 'good.call.json': missing });
    setLanguage('zh');
    at.memory.open({ kind: 'run', folder });
    const run = await dialog('运行');
    await pressIn(run, '运行 1 个调用');
    await until(() => run.textContent.includes('没有变量“city”'));
  });
});
