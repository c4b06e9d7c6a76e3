import type { JsonValue } from '../tools/json.ts';
import { createCaptureStore } from './captures.ts';
import { createChats } from './chats.ts';
import { createHistory } from './history.ts';
import { createHistorySeries } from './historySeries.ts';
import { explainUse, openDatabase } from './openDatabase.ts';
import { createSavedRuns } from './savedRuns.ts';
import type { Store } from './types.ts';
import { createWireStore } from './wireFrames.ts';

/**
 * Opens the store of a data folder, making it where it is missing. Several processes may have it open at once.
 * Arguments and results may hold secrets of the tools': the file is readable by its owner only.
 * @throws Error naming the file where it cannot be opened.
 */
export function openStore({ path }: { path: string }): Store {
  const { database, notice } = openDatabase(path);
  const read = database.prepare('SELECT value FROM settings WHERE key = ?');
  const write = database.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  return {
    settings: {
      get(key) {
        const row = read.get(key);
        return row && (JSON.parse(String(row['value'])) as JsonValue);
      },
      set(key, value) {
        write.run(key, JSON.stringify(value));
      },
    },
    history: createHistory(database),
    series: createHistorySeries(database),
    chats: createChats(database),
    wire: createWireStore(database, (error) => explainUse(error, path)),
    captures: createCaptureStore(database),
    savedRuns: createSavedRuns(database),
    ...(notice !== undefined && { notice }),
    close() {
      if (database.isOpen) database.close();
    },
  };
}
