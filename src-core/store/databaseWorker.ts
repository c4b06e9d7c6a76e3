/** The thread that looks through a database and brings it up to date, before anybody else has it open. */
import { parentPort, workerData } from 'node:worker_threads';

import { openDatabase } from './openDatabase.ts';

const { path } = workerData as { path: string };
const { database, notice } = openDatabase(path, { lookForDamage: true });
database.close();
parentPort?.postMessage({ notice });
