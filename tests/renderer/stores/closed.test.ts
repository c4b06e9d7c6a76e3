import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { useClosed } from '../../../renderer/features/trash/closedStore.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useToasts } from '../../../renderer/window/toasts.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

let window: TestWindow;
beforeEach(async () => {
  window = await openWindow();
});
afterEach(() => window.close());

it('brings back the last of what the engine keeps and what the window closed, one after the other', async () => {
  const closed = window.use(() => useClosed());
  const navigation = window.use(() => useNavigation());
  const toasts = window.use(() => useToasts());
  const { client } = window.connection;
  const { id: sessionId } = await client.chat.create({});
  await client.chat.remove({ sessionId });
  await closed.tellRemoved(({ of }) => of === sessionId);
  expect(toasts.list.at(-1)?.action?.label).toBe('Undo');
  let isBack = false;
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000);
  closed.keep('Team', () => void (isBack = true));
  vi.restoreAllMocks();

  expect(closed.last?.name).toBe('Team');
  await closed.reopenLast();
  expect(isBack).toBe(true);
  await closed.reopenLast();
  expect((await client.chat.list()).map(({ id }) => id)).toEqual([sessionId]);
  expect(navigation.pane).toBe('chat');
  await vi.waitUntil(() => closed.last === undefined);
  await closed.reopenLast();
});

it('takes back the offer to undo what is restored in another way', async () => {
  const closed = window.use(() => useClosed());
  const toasts = window.use(() => useToasts());
  const { client } = window.connection;
  const { id: sessionId } = await client.chat.create({});
  await closed.remove('chat', sessionId, () => client.chat.remove({ sessionId }));
  closed.keep('Team', () => undefined, 'Team was closed');
  const titles = (): string[] => toasts.list.map(({ title }) => title);
  expect(titles()).toEqual([expect.stringContaining('was removed'), 'Team was closed']);
  await closed.reopenLast();
  expect(titles()).toEqual([expect.stringContaining('was removed')]);
  await closed.reopenLast();
  await vi.waitUntil(() => toasts.list.length === 0);
});

it('says why something cannot come back, and keeps it for another try', async () => {
  const closed = window.use(() => useClosed());
  const toasts = window.use(() => useToasts());
  closed.keep('Team', () => Promise.reject(new Error('The folder is gone.')));
  await closed.reopenLast();
  expect(toasts.list.at(-1)).toMatchObject({ kind: 'error', title: 'Not restored: Team', text: 'The folder is gone.' });
  expect(closed.last?.name).toBe('Team');
});
