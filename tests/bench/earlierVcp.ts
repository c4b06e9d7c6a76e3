import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { parseVcp } from '../../src-core/protocols/vcp/parseVcp.ts';

/** The commit whose parser was audited for 0.1.0. */
export const earlierCommit = '48969ba';

/** The parser of that commit, from git; a sentence that says why not if the clone does not have the commit. */
export async function loadEarlierVcp(): Promise<typeof parseVcp | string> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-earlier-'));
  try {
    const archive = join(folder, 'sources.tar');
    const root = fileURLToPath(new URL('../..', import.meta.url));
    execFileSync('git', ['archive', '-o', archive, earlierCommit, 'package.json', 'src-core'], {
      cwd: root,
      stdio: 'pipe',
    });
    execFileSync('tar', ['-xf', archive, '-C', folder], { stdio: 'pipe' });
    const { href } = pathToFileURL(join(folder, 'src-core/protocols/vcp/parseVcp.ts'));
    return ((await import(href)) as { parseVcp: typeof parseVcp }).parseVcp;
  } catch (error) {
    return `not compared with ${earlierCommit}: ${error instanceof Error ? error.message.split('\n').slice(0, 2).join(' ') : String(error)}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
