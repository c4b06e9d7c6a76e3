/**
 * Hostile input against the built product: the longest turn of the engine's event loop, in processor time of its thread.
 * Beside each stands the floor, `JSON.parse` of a benign message of the same size in the same process. Each input gets a
 * process of its own, so that one attack does not warm up or burden the next.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startProduct } from '../attacks/product.ts';
import { attackCases, type AttackCase } from './attacks/cases.ts';
import { measureFloor, startStallProbe } from './attacks/stallProbe.ts';

/** Milliseconds of processor time for which the engine may do one thing. */
const limitMs = 50;
/** Milliseconds after which an attack counts as endless. */
const endlessMs = 40_000;

type Row = Record<string, string | number>;

async function measure({ what, bytes, fill, prepare, attack }: AttackCase): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-attacks-'));
  try {
    await fill?.(dataDir);
    const product = await startProduct({ dataDir });
    await prepare?.(product);
    const floor = await measureFloor(product.inspector, bytes);
    const longestStall = await startStallProbe(product.inspector);
    const attacked = attack(product).then(() => true);
    const isDone = await Promise.race([attacked, delay(endlessMs, false, { ref: false })]);
    const stall = await longestStall();
    attacked.catch(() => undefined);
    await product.stop('SIGKILL');
    const holds = isDone && stall <= limitMs;
    return {
      what,
      'longest stall, ms of processor': Math.round(stall),
      'floor, ms of processor': Math.round(floor),
      'limit, ms': limitMs,
      outcome: holds ? 'holds' : isDone ? 'does not hold' : `does not hold: not done after ${endlessMs / 1_000} s`,
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Outcome {
  title: string;
  note: string;
  rows: Row[];
  pass: boolean;
}

/** One row per hostile input. */
export async function run(): Promise<Outcome> {
  const rows: Row[] = [];
  for (const attackCase of attackCases) rows.push(await measure(attackCase));
  return {
    title: 'Hostile input: the longest stall of the engine',
    note:
      'A stall is one turn of the event loop, in processor time of the engine’s thread, so other load on the machine does ' +
      'not count. The floor is `JSON.parse` of a benign message of the same size, in the same process.',
    rows,
    pass: rows.every(({ outcome }) => outcome === 'holds'),
  };
}
