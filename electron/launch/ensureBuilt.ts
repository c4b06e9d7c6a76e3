import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Terminal } from '../../src-core/cli/terminal.ts';
import { projectPath } from './project.ts';

const sources = ['src-core', 'electron', 'renderer', 'vite.config.ts', 'package.json'];
const outputs = ['cli.js', 'electron/main.js', 'preload/preload.cjs', 'renderer/index.html'];

/**
 * Builds the workbench if dist/ is missing or older than the sources. Returns false if the build failed, after printing
 * its output, or if Ctrl+C ended it.
 */
export async function ensureBuilt(options: {
  terminal: Pick<Terminal, 'ended' | 'note'>;
  /** Folder of the project. */
  root?: string;
}): Promise<boolean> {
  const { terminal, root = projectPath() } = options;
  if (isBuilt(root)) return true;
  terminal.note('Building the workbench, which takes a few seconds…\n');
  const build = spawn(process.execPath, ['--run', 'build:app'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [build.stdout, build.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  terminal.ended.addEventListener('abort', () => {
    build.kill();
    // Processes that the build started may keep these open.
    build.stdout.destroy();
    build.stderr.destroy();
  });
  const [code] = (await once(build, 'close')) as [number | null];
  // Ctrl+C in a terminal also reaches the build itself, which may end first.
  if (terminal.ended.aborted) return false;
  if (code !== 0) terminal.note(`${output}The build failed; the lines above say why.\n`);
  return code === 0;
}

/** Whether every output in `dist/` is at least as new as every source. */
export function isBuilt(root: string): boolean {
  const built = Math.min(...outputs.map((name) => timeOf(join(root, 'dist', name)) ?? -Infinity));
  return sources.every((name) => newestIn(join(root, name)) <= built);
}

function newestIn(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
