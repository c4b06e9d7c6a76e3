import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built window: beside the built program, or in dist/ of the sources. */
export const rendererDir = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/renderer' : './renderer', import.meta.url),
);

/** The same, or undefined if the window is not built. */
export function builtRendererDir(): string | undefined {
  return existsSync(join(rendererDir, 'index.html')) ? rendererDir : undefined;
}
