import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it, vi } from 'vitest';

import { setLanguage } from '../../../renderer/i18n/index.ts';
import StorageNotice from '../../../renderer/shell/StorageNotice.vue';
import { useConnection } from '../../../renderer/stores/connection.ts';
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
    await expect(window.connection.client.settings.set({ theme: 'dark' })).rejects.toThrow(/This was not saved/);
    await vi.waitUntil(() => connection.info?.storage.fault === 'failed', { timeout: 20_000 });
    await vi.waitUntil(() => notice.text() !== '', { timeout: 20_000 });
    expect(notice.text()).toBe(
      `Nothing is being saved. ${dataDir} cannot be written (database is locked). Calls and devices work, but history and ` +
        'wire logs are not kept, and chats and settings cannot be changed. ' +
        'Saving resumes by itself once the directory can be written.',
    );
    setLanguage('zh');
    await vi.waitUntil(() => notice.text().startsWith('目前无法保存任何内容。'), { timeout: 20_000 });
    other.exec('COMMIT');
    await vi.waitUntil(() => notice.text() === '', { timeout: 20_000 });
  } finally {
    other.close();
    await window.close();
  }
});
