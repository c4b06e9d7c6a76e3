import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { Terminal } from '../../src-core/cli/terminal.ts';
import { projectPath } from './project.ts';

const sources = ['src-core', 'electron', 'renderer', 'vite.config.ts', 'package.json'];
const outputs = ['cli.js', 'electron/main.js', 'preload/preload.cjs', 'renderer/index.html'];

/**
 * Builds where dist/ is missing or older than the sources. False where the build failed, which has then been said, or
 * where the terminal ended it.
 */
export async function ensureBuilt(options: {
  terminal: Pick<Terminal, 'ended' | 'note'>;
  /** Folder of the project. */
  root?: string;
}): Promise<boolean> {
  const { terminal, root = projectPath() } = options;
  if (isBuilt(root)) return true;
  terminal.note('Building the workbench, which takes a few seconds…\n');
  const build = spawn(process.execPath, ['--run', 'build:app'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: terminal.ended,
  });
  try {
    const ended = once(build, 'close');
    const [out, errors, [code]] = await Promise.all([text(build.stdout), text(build.stderr), ended]);
    if (code === 0) return true;
    terminal.note(`${out}${errors}The build failed; the lines above say why.\n`);
  } catch (error) {
    if (!terminal.ended.aborted) throw error;
    // What the build has started may hold its lines open for longer.
    build.stdout.destroy();
    build.stderr.destroy();
  }
  return false;
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
