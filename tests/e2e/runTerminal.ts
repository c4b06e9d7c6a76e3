import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs the built terminal against a data directory. */
export async function runTerminal(
  dataDir: string,
  words: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['dist/cli.js', ...words, '--data-dir', dataDir]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
