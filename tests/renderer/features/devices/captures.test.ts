import { Blob as NodeBlob, File as NodeFile } from 'node:buffer';
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { linePieces } from '../../../../renderer/features/captures/linePieces.ts';
import DevicesPane from '../../../../renderer/features/devices/DevicesPane.vue';
import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import { giveLayout } from '../../layout.ts';
import { useDroppedFiles } from '../../../../renderer/window/droppedFiles.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';
import { button, choose, dialog, press, until } from './acting.ts';

// jsdom's have no stream().
const Blob = NodeBlob as unknown as typeof globalThis.Blob;
const File = NodeFile as unknown as typeof globalThis.File;

const textOf = (blob: globalThis.Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });

describe('linePieces', () => {
  const read = async (text: string): Promise<string[]> => {
    const pieces: string[] = [];
    for await (const piece of linePieces(new Blob([text]))) pieces.push(piece.text);
    return pieces;
  };

  it('end at line ends, lose nothing, and break no character apart', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `{"seq":${n},"text":"语音 🙂 ${'x'.repeat(n % 70)}"}`);
    const pieces = await read(lines.join('\n'));
    expect(pieces.join('')).toBe(lines.join('\n'));
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.slice(0, -1).every((piece) => piece.endsWith('\n'))).toBe(true);
  });

  it('refuses an empty file, and an endless line before it fills the memory', async () => {
    expect(await read('')).toEqual([]);
    await expect(read('x'.repeat(8_000_000))).rejects.toThrow('longer than 7 MB');
  });
});

describe('captures', () => {
  let window: TestWindow;
  let undoLayout: () => void;
  let pane: VueWrapper;
  let device: DeviceInfo;
  let saved: { name: string; content: globalThis.Blob } | undefined;
  beforeEach(async () => {
    undoLayout = giveLayout();
    saved = undefined;
    let content: globalThis.Blob | undefined;
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      content = blob as globalThis.Blob;
      return 'blob:here';
    });
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      if (content) saved = { name: this.download, content };
    });
    window = await openWindow();
    const { client } = window.connection;
    await client.devices.addVirtual({ name: 'study' });
    device = await until(async () => (await client.devices.list()).find(({ state }) => state === 'ready'));
    for (const volume of [10, 20]) {
      const argsJson = JSON.stringify({ volume });
      const toolName = `${device.registryId}_self.audio_speaker.set_volume`;
      const result = await client.calls.execute({ callId: `call-${volume}`, toolName, argsJson, origin: 'executor' });
      expect(result.status).toBe('success');
    }
    pane = window.mount(DevicesPane);
    await until(() => pane.findAll('.log-rows [role="option"]').length > 5);
  });
  afterEach(async () => {
    await window.close();
    undoLayout();
    vi.restoreAllMocks();
    expect(window.errors).toEqual([]);
  });

  const filters = (): string[] => pane.findAll('.devices-pane > .head .chip').map((chip) => chip.text());
  const banners = (): string[] => pane.findAll('.banner.inset').map((one) => one.text());
  /** What is said where a file was refused. */
  const banner = (about: string): Promise<string> => until(() => banners().find((text) => text.includes(about)));
  async function drop(...files: globalThis.File[]): Promise<void> {
    for (const file of files) window.use(() => useDroppedFiles()).give('devices', file);
    await flushPromises();
  }

  it('are saved as a file, dropped in again, replayed, and run as a device', async () => {
    await choose(button(pane, 'More for this log'), 'Export log');
    const file = await until(() => saved);
    expect(file.name).toMatch(/\.jsonl$/);
    const text = await textOf(file.content);
    expect(text.split('\n')[0]).toContain('"toolwire":"capture"');
    expect(text).toContain('self.audio_speaker.set_volume');

    await drop(new File([text], 'from-lin.jsonl'));
    await until(() => filters().includes('Captures 1'));
    await until(() => pane.get('.detail-head h2').text() === 'from-lin.jsonl');
    expect(pane.get('.device-row.sel').text()).toMatch(/from-lin\.jsonl.*Capture, \d+ frames/);
    await until(() => pane.findAll('.log-rows [role="option"]').some((row) => row.text().includes('tools/call')));

    await press(button(pane, 'Replay on a device'));
    const replay = await dialog('Replay from-lin.jsonl');
    [...replay.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Replay')?.click();
    await until(() => replay.textContent?.includes('2 of 2 calls'));
    expect(replay.textContent).toContain('2 the same');
    const row = replay.querySelector<HTMLElement>('tbody button');
    row?.click();
    await until(() => replay.querySelectorAll('.both .code-block').length === 2);
    expect(replay.querySelector('.both')?.textContent).toMatch(/Then.*true.*Now.*true/s);
    replay.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await until(() => document.querySelector('[role="dialog"]') === null);

    await press(button(pane, 'Run as a virtual device'));
    await until(() => filters().includes('Connected 2'));
  });

  it('are replayed from the log of a device on the same device', async () => {
    const { client } = window.connection;
    await client.devices.addVirtual({ name: 'attic' });
    await until(async () => (await client.devices.list()).filter(({ state }) => state === 'ready').length === 2);
    await until(() => filters().includes('Connected 2'));
    await choose(button(pane, 'More for this log'), 'Replay on a device');
    const replay = await until(() => document.querySelector<HTMLElement>('[role="dialog"]') ?? undefined);
    expect(replay.querySelector('.select')?.textContent).toBe(`study · ${device.deviceId}`);
    [...replay.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Replay')?.click();
    const again = () =>
      [...replay.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Replay again');
    await until(() => replay.textContent?.includes('2 of 2 calls') && again());
    expect(replay.textContent).toContain('2 the same');
    // Its own calls are in the log now, and are not repeated.
    const made = async () => (await client.calls.history({ limit: 100 })).length;
    const before = await made();
    again()?.click();
    await until(async () => (await made()) === before + 2);
    await until(again);
    expect(replay.textContent).toContain('2 of 2 calls');
  });

  it('say of a replay that was stopped that its running call still ends', async () => {
    const { client } = window.connection;
    await choose(button(pane, 'More for this log'), 'Export log');
    await drop(new File([await textOf((await until(() => saved)).content)], 'study.jsonl'));
    await until(() => pane.get('.detail-head h2').text() === 'study.jsonl');
    const slow = await client.devices.addVirtual({ name: 'slow', faults: ['slow'] });
    await until(() => filters().includes('Connected 2'));
    await client.devices.pullPlug({ id: device.id });
    await until(() => filters().includes('Connected 1'));
    await press(button(pane, 'Replay on a device'));
    const replay = await dialog('Replay study.jsonl');
    const named = (name: string) =>
      [...replay.querySelectorAll('button')].find((one) => one.textContent?.trim() === name);
    await until(() => named('Replay')?.disabled === false);
    named('Replay')?.click();
    await until(async () => (await client.calls.running()).length === 1);
    named('Stop')?.click();
    await until(() => replay.textContent?.includes('stops after this call'));
    expect(named('Replay again')?.disabled).toBe(true);
    await client.devices.pullPlug({ id: slow.deviceId });
    await until(() => replay.textContent?.includes('stopped'));
    expect(replay.textContent).not.toContain('stops after this call');
  });

  it('are not replayed on another device unless it is chosen', async () => {
    const { client } = window.connection;
    for (const name of ['attic', 'barn']) await client.devices.addVirtual({ name });
    await until(() => filters().includes('Connected 3'));
    await client.devices.pullPlug({ id: device.id });
    await until(() => filters().includes('Connected 2'));
    await choose(button(pane, 'More for this log'), 'Replay on a device');
    const replay = await dialog('Replay study');
    expect(replay.querySelector('.select')?.textContent).toBe('Choose');
    const start = [...replay.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Replay');
    expect(start?.disabled).toBe(true);
  });

  it('refuses invalid captures with the reason and keeps nothing', async () => {
    await drop(new File(['{"hello":"there"}\n'], 'notes.txt'));
    expect(await banner('Could not read notes.txt')).toContain('not the header of a capture');
    expect(await window.connection.client.captures.list()).toEqual([]);
    const header = '{"toolwire":"capture","version":1,"device":{"name":"x","deviceId":"y"},"exportedAt":1}';
    await drop(new File([`${header}\n{"seq":1}\n`], 'broken.jsonl'));
    expect(await banner('broken.jsonl')).toContain('Line 2');
    expect(await window.connection.client.captures.list()).toEqual([]);
    await drop(new File([''], 'empty.jsonl'));
    expect(await banner('empty.jsonl')).toContain('The file is empty');
  });

  it('are renamed and removed', async () => {
    const header = '{"toolwire":"capture","version":1,"device":{"name":"x","deviceId":"y"},"exportedAt":1}';
    await drop(new File([`${header}\n`], 'a.jsonl'));
    await until(() => pane.get('.detail-head h2').text() === 'a.jsonl');
    await choose(button(pane, 'More for this log'), 'Rename');
    const form = await dialog('Rename');
    const field = form.querySelector('input')!;
    field.value = 'the night it crashed';
    field.dispatchEvent(new Event('input'));
    await until(() => field.value === 'the night it crashed');
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => pane.get('.detail-head h2').text() === 'the night it crashed');
    await choose(button(pane, 'More for this log'), 'Remove the capture');
    await until(() => filters().includes('Captures 0'));
  });
});
