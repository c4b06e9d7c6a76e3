import { fileURLToPath } from 'node:url';

/** The built window: beside the built program, or in dist/ of the sources. */
export const rendererDir = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/renderer' : './renderer', import.meta.url),
);
