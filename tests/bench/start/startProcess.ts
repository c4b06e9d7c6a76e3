import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A process that has come as far as it was waited for. */
export interface Started {
  /** From its start. */
  ms: number;
  /** ms of processor it took, all its threads; 0 where the system does not tell. */
  processorMs: number;
  /** Opens the window, once. */
  link: string;
  stop(): Promise<void>;
}

/** A Node that does nothing, until it has ended. */
export async function startNothing(): Promise<Started> {
  const began = performance.now();
  const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [[said]] = await Promise.all([once(child.stdout, 'data') as Promise<[Buffer]>, once(child, 'exit')]);
  const ms = performance.now() - began;
  return { ms, processorMs: Number(said.toString()), link: '', stop: () => Promise.resolve() };
}

/** User and system time of a process, in the hundredths of a second that Linux counts (proc(5)). */
function processorMsOf(pid: number | undefined): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const afterName = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(afterName[11]) + Number(afterName[12])) * 10;
}

/** The built `toolwire serve`, until it has said its addresses. */
export async function startServe(dataDir: string): Promise<Started> {
  const began = performance.now();
  const args = ['serve', '--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir];
  const child = spawn(process.execPath, ['dist/cli.js', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>,
    ended.then(([code]) => {
      throw new Error(`dist/cli.js serve ended with ${String(code)} before it listened. Run: npm run build`);
    }),
  ]);
  const ms = performance.now() - began;
  const processorMs = processorMsOf(child.pid);
  const { link } = JSON.parse(line) as { link: string };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ms, processorMs, link, stop };
}

/** The built main process of the desktop app with a stand-in for Electron, until its workbench can be reached. */
export async function startElectronMain(dataDir: string): Promise<Started> {
  const record = join(dataDir, 'workbench.json');
  rmSync(record, { force: true });
  const hook = new URL('../../electron/fakeElectronHook.ts', import.meta.url).href;
  const written = new Promise<void>((resolve) => {
    const watcher = watch(dataDir, () => {
      if (!existsSync(record)) return;
      watcher.close();
      resolve();
    });
  });
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', hook, 'dist/electron/main.js'], {
    env: { ...process.env, TOOLWIRE_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    written,
    ended.then(([code]) => {
      throw new Error(`dist/electron/main.js ended with ${String(code)} before it listened. Run: npm run build`);
    }),
  ]);
  const ms = performance.now() - began;
  const processorMs = processorMsOf(child.pid);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ms, processorMs, link: '', stop };
}
