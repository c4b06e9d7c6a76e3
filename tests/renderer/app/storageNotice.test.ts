import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it, vi } from 'vitest';

import { setLanguage } from '../../../renderer/i18n/index.ts';
import StorageNotice from '../../../renderer/app/StorageNotice.vue';
import { useConnection } from '../../../renderer/client/connectionStore.ts';
import { openCheckedStore } from '../../../src-core/store/openStore.ts';
import { openWindow } from '../openWindow.ts';

afterEach(() => setLanguage('en'));

it('says what is not kept and why, in both languages, until writing works again', async () => {
  const window = await openWindow();
  const connection = window.use(() => useConnection());
  const { dataDir } = window.workbench.info();
  const other = new DatabaseSync(join(dataDir, 'toolwire.db'));
  try {
    const notice = window.mount(StorageNotice);
    expect(notice.text()).toBe('');
    other.exec('BEGIN IMMEDIATE');
    await expect(window.connection.client.settings.set({ theme: 'dark' })).rejects.toThrow(
      /cannot be written \(database is locked\)\. Try again\.$/,
    );
    await vi.waitUntil(() => connection.info?.storage.fault === 'failed');
    await vi.waitUntil(() => notice.text() !== '');
    expect(notice.text()).toBe(
      `Nothing is being saved. ${dataDir} cannot be written (database is locked). Calls and devices work, but history and ` +
        'wire logs are not saved, and chats and settings cannot be changed. ' +
        'Saving resumes automatically once the directory can be written.',
    );
    setLanguage('zh');
    await vi.waitUntil(() => notice.text().startsWith('目前无法保存任何内容。'));
    other.exec('COMMIT');
    await vi.waitUntil(() => notice.text() === '');
  } finally {
    other.close();
    await window.close();
  }
});

it('says that the disk is full and what is not kept, and that a directory can be written by now', async () => {
  let database: DatabaseSync | undefined;
  const window = await openWindow({
    openTables: (options) => openCheckedStore({ ...options, onOpen: (opened) => (database = opened) }),
  });
  const connection = window.use(() => useConnection());
  const { dataDir } = window.workbench.info();
  try {
    const notice = window.mount(StorageNotice);
    const shows = (text: string) => vi.waitFor(() => expect(notice.text()).toBe(text));
    database?.exec('PRAGMA max_page_count = 1');
    const dangerousTools = Array.from({ length: 100 }, (_, at) => `${'x'.repeat(90)}${at}`);
    await expect(window.connection.client.settings.set({ dangerousTools })).rejects.toThrow(
      `The disk that holds ${dataDir} is full. Free some space and try again.`,
    );
    await shows(
      `Nothing is being saved. The disk that holds ${dataDir} is full. Calls and devices work, but history and wire logs ` +
        'are not saved, and chats and settings cannot be changed. ' +
        'Free some space. Saving then resumes automatically.',
    );
    setLanguage('zh');
    await shows(
      `目前无法保存任何内容。${dataDir} 所在的磁盘已满。调用和设备照常工作，但调用历史和收发记录不会保留，对话和设置也无法更改。` +
        '请释放一些空间，之后会自动恢复保存。',
    );
    database?.exec('PRAGMA max_page_count = 1000000');
    await shows('');

    const { info } = connection;
    const storage = { dir: dataDir, fault: 'read-only', untilRestart: true, isSolved: true, unreadable: {} } as const;
    connection.info = info && { ...info, storage };
    await shows(`目前无法保存任何内容。${dataDir} 现在可以写入了。请重新启动 Toolwire 以保存更改。`);
    setLanguage('en');
    await shows(`Nothing is being saved. ${dataDir} can be written now. Restart Toolwire to save changes.`);
  } finally {
    await window.close();
  }
});
