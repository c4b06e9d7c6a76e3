/** Conversations that have ended: listed, opened, exported, removed, and imported. */
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { File as NodeFile } from 'node:buffer';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import DevicesPane from '../../../../renderer/features/devices/DevicesPane.vue';
import { sessionFacts } from '../../../../renderer/features/realtime/list/sessionFacts.ts';
import RealtimePane from '../../../../renderer/features/realtime/RealtimePane.vue';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { formatDateTime } from '../../../../renderer/ui/format/formatTime.ts';
import { useClosed } from '../../../../renderer/features/trash/closedStore.ts';
import { useDroppedFiles } from '../../../../renderer/window/droppedFiles.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import type { RealtimeSessionInfo } from '../../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

// jsdom's has no stream().
const File = NodeFile as unknown as typeof globalThis.File;
let window: TestWindow;
let pane: VueWrapper;
const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds);

windowForEachTest((opened) => (window = opened), { width: 1_200, height: 800 });
beforeEach(() => {
  pane = window.mount(RealtimePane);
});

const rows = () => pane.findAll('.list-row');
const transcript = (): string => pane.find('[role="log"]').text();

/** A conversation in writing that has ended; its id. */
async function talk(): Promise<string> {
  const { realtime } = window.connection.client;
  const { sessionId: id } = await realtime.open({ instructions: 'Be brief.' });
  await realtime.sendText({ id, text: 'Good morning' });
  await until(async () => (await realtime.updates({ id, revision: 0 })).transcript.some(({ who }) => who === 'bot'));
  await realtime.close({ id });
  return id;
}

async function press(label: string): Promise<void> {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"]')].find((each) =>
      (each.getAttribute('aria-label') ?? each.textContent?.trim() ?? '').startsWith(label),
    );
  await until(() => find() !== undefined);
  find()?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
  find()?.click();
  await flushPromises();
}

it('shows one that has ended with its words and events, exports it, and removes it', async () => {
  const id = await talk();
  await until(() => rows().length === 1 && pane.find('[role="log"]').exists());
  await until(() => transcript().includes('Good morning'));
  await until(() => pane.get('.session-head').text().includes('Talk again'));
  // Nothing can be changed any more.
  expect(pane.get('.session-setup fieldset').attributes()).toHaveProperty('disabled');
  expect(pane.get('.session-setup').text()).not.toContain('Apply');
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:here');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await press('More for');
  await press('Export the conversation');
  await until(() => saved.length === 1);
  expect(saved[0]).toMatch(/^Scripted realtime model \d{4}-\d\d-\d\d\.jsonl$/);

  await press('More for');
  await press('Remove from the list');
  await until(() => rows().length === 0);
  expect(pane.text()).toContain('Talk with a model');
  await window.use(useClosed).reopenLast();
  await until(() => rows().length === 1);
  expect(window.use(useSettings).ui['realtime.chosen']).toBe(id);
  await until(() => transcript().includes('Good morning'));
});

it('shows an imported one apart, without what a conversation needs to go on', async () => {
  const { client } = window.connection;
  const { text } = await client.captures.exportPart({ conversationId: await talk() });
  const { captureId } = await client.captures.importPart({ name: 'yesterday.jsonl', text });
  await until(() => rows().length === 2);
  expect(pane.text()).toContain('Imported conversations 1');
  await rows()[1]!.trigger('click');
  await until(() => pane.find('.session-head').exists() && pane.get('.session-head').text().includes('Imported'));
  expect(pane.get('.session-head h2').text()).toBe('yesterday.jsonl');
  await until(() => transcript().includes('Good morning'));
  expect(pane.get('.session-head').text()).not.toContain('Talk again');
  expect(pane.find('.speak-bar').exists()).toBe(false);
  expect(rows()[1]!.text()).toContain('Scripted realtime model');
  setLanguage('zh');
  onTestFinished(() => setLanguage('en'));
  await flushPromises();
  expect(rows()[1]!.text()).toContain('脚本实时模型');
  setLanguage('en');

  await client.captures.remove({ captureId });
  await until(() => rows().length === 1);
  await window.use(useClosed).reopenLast();
  await until(() => rows().length === 2);
  expect(window.use(useNavigation).pane).toBe('realtime');
  expect(window.use(useSettings).ui['realtime.chosen']).toBe(`capture:${captureId}`);
});

it.each(['realtime', 'gateway'] as const)('a capture of %s dropped on the window is opened in its pane', async (of) => {
  const { client } = window.connection;
  const source = of === 'gateway' ? { shared: of } : { conversationId: await talk() };
  const { text } = await client.captures.exportPart(source);
  window.mount(DevicesPane);
  window.use(useDroppedFiles).give('devices', new File([text], 'log.jsonl'));
  const navigation = window.use(useNavigation);
  await until(() => navigation.pane === of);
  const [capture] = await client.captures.list();
  expect(capture).toMatchObject({ name: 'log.jsonl', origin: of });
  expect(window.use(useSettings).ui[`${of}.chosen`]).toBe(`capture:${capture!.id}`);
});

it('says which line of a file cannot be read, and keeps nothing of it', async () => {
  const { client } = window.connection;
  const { text } = await client.captures.exportPart({ conversationId: await talk() });
  const broken = text.replace('"kind":"open"', '"kind":"shut"');
  const picked: HTMLInputElement[] = [];
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function click(this: HTMLInputElement) {
    picked.push(this);
  });
  await press('Import a conversation');
  await until(() => picked.length === 1);
  Object.defineProperty(picked[0], 'files', { value: [new File([broken], 'broken.jsonl')] });
  picked[0]!.dispatchEvent(new Event('change'));
  await until(() => pane.text().includes('Could not read broken.jsonl'));
  expect(pane.text()).toContain('Line 2 of the capture cannot be read: "kind" must be one of');
  expect(await client.captures.list()).toEqual([]);
  await press('Close');
  expect(pane.text()).not.toContain('Could not read');
});

it('a conversation of another day is listed with its day', () => {
  const info = { counts: { responses: 2, calls: 1, events: 9 }, closedAt: 1_700_000_060_000 } as RealtimeSessionInfo;
  const day = formatDateTime(1_700_000_000_000);
  expect(sessionFacts({ ...info, startedAt: 1_700_000_000_000 })).toBe(`${day} · 1 m 0 s · 2 responses · 1 call`);
  const now = Date.now();
  expect(sessionFacts({ ...info, startedAt: now, closedAt: now + 60_000 })).toMatch(/^\d\d:\d\d:\d\d · /);
});
