/** The thread that looks through a database, brings it up to date and makes it smaller, before anybody else has it open. */
import { parentPort, workerData } from 'node:worker_threads';

import { describeThrown } from '../base/describeThrown.ts';
import { openDatabase } from './openDatabase.ts';
import type { DatabaseWork, PreparedDatabase } from './prepareDatabase.ts';
import { compact } from './vacuum.ts';

const { path, lookForDamage, isToBeSmaller } = workerData as DatabaseWork;
const { database, notice, movedAside } = openDatabase(path, { lookForDamage });
const notices = notice === undefined ? [] : [notice];
if (isToBeSmaller && notice === undefined) {
  try {
    compact(database);
  } catch (error) {
    notices.push(
      `${path} could not be made smaller: ${describeThrown(error)}. It is used as it is; the next start tries again.`,
    );
  }
}
database.close();
parentPort?.postMessage({
  ...(notices.length > 0 && { notice: notices.join(' ') }),
  ...(movedAside !== undefined && { movedAside }),
} satisfies PreparedDatabase);
