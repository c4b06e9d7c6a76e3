import { expect, test } from 'vitest';

import { parseExactly } from '../../../../src-core/base/exactNumber.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';

test('what the window remembers of a schema with a limit beyond 2^53 is stored, as the nearest double', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const methods = parseExactly('{"minimum":9007199254740993}') as JsonObject;
  const ui = { 'executor.methods': { minimum: 9_007_199_254_740_992 } };
  expect((await first.services.settings.set({ ui: { 'executor.methods': methods } })).ui).toMatchObject(ui);
  await first.close();
  expect((await openWorkbench({ dataDir })).services.settings.get().ui).toMatchObject(ui);
});
