/**
 * Lets `vi.waitFor` and `vi.waitUntil` wait as long as `expect.poll` (vitest.config.ts). Their default is 1 s, which a busy machine
 * exceeds, and cannot be configured.
 */
import { afterAll, vi } from 'vitest';

const timeout = 20_000;
type Options = number | { timeout?: number; interval?: number } | undefined;

const { waitFor, waitUntil } = vi;
const patiently = (options: Options): Options => (typeof options === 'number' ? options : { timeout, ...options });
vi.waitFor = (callback, options) => waitFor(callback, patiently(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patiently(options));

// Files share a worker's process.
afterAll(() => {
  Object.assign(vi, { waitFor, waitUntil });
});
