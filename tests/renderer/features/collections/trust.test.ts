import { afterEach, beforeEach, expect, it } from 'vitest';

import { dialog, until } from '../devices/acting.ts';
import { openMemory, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

const manifest = { format: 1, name: 'Lamps' };
const call = { name: 'set', tool: 'lamp_set', arguments: {} };
const trust = (run: HTMLElement): HTMLElement | null => run.querySelector('[aria-label^="Trust this collection"]');

it('a run asks once whether what the files confirm counts, and forgets it if the user takes it back', async () => {
  const folder = await at.folder({ 'toolwire.json': manifest, 'set.call.json': { ...call, confirm: true } });
  at.memory.open({ kind: 'run', folder });
  const run = await dialog('Run Lamps');
  const isTrusted = (): boolean | undefined => at.collections.list.find((each) => each.folder === folder)?.trusted;
  expect(isTrusted()).toBe(false);
  trust(run)?.click();
  await until(() => isTrusted() === true && trust(run)?.getAttribute('aria-checked') === 'true');
  trust(run)?.click();
  await until(() => isTrusted() === false && trust(run)?.getAttribute('aria-checked') === 'false');
});

it('a run of files that confirm nothing does not ask', async () => {
  const folder = await at.folder({ 'toolwire.json': manifest, 'set.call.json': call });
  at.memory.open({ kind: 'run', folder });
  expect(trust(await dialog('Run Lamps'))).toBeNull();
});
