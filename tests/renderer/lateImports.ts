/** Waits for the engine's sentences in Chinese, which come when they are first needed: torn down half-way, they fail the run. */
import { afterAll } from 'vitest';

afterAll(async () => {
  await import('../../renderer/i18n/engine/zh/index.ts');
});
