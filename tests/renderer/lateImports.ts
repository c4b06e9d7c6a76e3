/** Waits for what a file's tests began to load late, such as the engine's sentences in Chinese: torn down half-way, it fails. */
import { afterAll, vi } from 'vitest';

afterAll(() => vi.dynamicImportSettled());
