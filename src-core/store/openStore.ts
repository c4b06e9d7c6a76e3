import type { JsonValue } from '../tools/json.ts';
import { reportError } from '../tools/reportError.ts';
import type { ErrorReporter } from '../tools/reportError.ts';
import { createCaptureStore } from './captures.ts';
import { createChats } from './chats.ts';
import { createChores } from './chores.ts';
import { createHistory } from './history.ts';
import { createHistorySeries } from './historySeries.ts';
import { openDatabase } from './openDatabase.ts';
import { createRemovedStore } from './removedRows.ts';
import { createSavedRuns } from './savedRuns.ts';
import { transaction } from './transaction.ts';
import type { Store } from './types.ts';
import { createVacuum } from './vacuum.ts';
import { createWireStore } from './wireFrames.ts';

/**
 * Opens the store of a data folder, making it where it is missing. Several processes may have it open at once.
 * Arguments and results may hold secrets of the tools': the file is readable by its owner only.
 * `onError` hears of what failed in no caller's name.
 * @throws Error naming the file where it cannot be opened.
 */
export function openStore(options: { path: string; onError?: ErrorReporter }): Store {
  const { path, onError = reportError } = options;
  const { database, notice } = openDatabase(path);
  const chores = createChores({ tidy: createVacuum(database), onError });
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
      atomically: (change) => transaction(database, change),
    },
    history: createHistory(database, chores),
    series: createHistorySeries(database),
    chats: createChats(database),
    wire: createWireStore(database, chores),
    captures: createCaptureStore(database, chores),
    savedRuns: createSavedRuns(database),
    removed: createRemovedStore(database),
    ...(notice !== undefined && { notice }),
    close() {
      chores.stop();
      if (database.isOpen) database.close();
    },
  };
}
