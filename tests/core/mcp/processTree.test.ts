/** What ends together with a stdio server: real processes, looked up by their ids. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { connect, membersOf, rawServer } from './connectedServer.ts';

/** Whether a process lives and is no zombie. */
function isAlive(pid: number): boolean {
  const rows = execFileSync('ps', ['-eo', 'pid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return rows.some((row) => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(row));
}

/** A start that is cancelled as soon as the script has written to stderr. Returns the process, and what was written. */
async function cancelled(script: string): Promise<{ pid: number; written: string }> {
  const aborting = new AbortController();
  let pid = 0;
  let written = '';
  const connecting = connect(
    { type: 'stdio', command: 'sh', args: ['-c', script], env: {} },
    {
      // Without the stop it would wait for an answer to the probe.
      probeTimeoutMs: 600_000,
      signal: aborting.signal,
      observer: {
        onFrame: () => undefined,
        onNote: (_kind, text) => (pid ||= Number(/^Process (\d+)/.exec(text)?.[1])),
        onStderr(line) {
          written = line;
          aborting.abort();
        },
      },
    },
  );
  await expect(connecting).rejects.toMatchObject({ code: 'cancelled' });
  expect(pid).toBeGreaterThan(0);
  return { pid, written };
}

test('closing ends the descendants of the process', async () => {
  const connection = await connect(rawServer('grandchild'));
  const group = connection.pid as number;
  await expect.poll(() => membersOf(group)).toHaveLength(2);
  await connection.close();
  expect(await connection.closed).toMatchObject({ code: 'closed' });
  await expect.poll(() => membersOf(group)).toEqual([]);
});

test('an npx-like parent that ignores the end of stdin is ended with its child', async () => {
  const { pid } = await cancelled('sleep 1000 & echo started >&2; exec sleep 1000');
  expect(membersOf(pid)).toEqual([]);
});

/** Starts a process that writes its id to stderr: in another group of the server's session. */
const inOtherGroup = "timeout 1000 sh -c 'echo $$ >&2; exec sleep 1000 >/dev/null 2>&1' &";
/** The same in a session of its own, as libraries start a browser. */
const inOwnSession = "setsid sh -c 'echo $$ >&2; exec sleep 1000 >/dev/null 2>&1' &";

function killAtEnd(pid: number): void {
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
}

const parents = [
  ['that ends with its stdin', 'cat >/dev/null'],
  ['that ignores the end of stdin', 'sleep 1000'],
] as const;

test.each(parents)('a process in another group ends with a parent %s', async (_, parent) => {
  const { pid: group, written } = await cancelled(`${inOtherGroup} exec ${parent}`);
  const pid = Number(written);
  killAtEnd(pid);
  expect(pid).toBeGreaterThan(0);
  expect(pid).not.toBe(group);
  expect(isAlive(pid)).toBe(false);
});

test.each([
  ['outlives', true, ...parents[0]],
  ['ends with', false, ...parents[1]],
])('a process in a session of its own, such as a browser, %s (%s) a parent %s', async (_word, lives, _end, parent) => {
  const { pid: group, written } = await cancelled(`${inOwnSession} exec ${parent}`);
  killAtEnd(Number(written));
  await expect.poll(() => isAlive(Number(written))).toBe(lives);
  expect(membersOf(group)).toEqual([]);
});

test.each([
  ['another group', 'other-group'],
  ['a session of its own', 'own-session'],
])('a process in %s ends when our process ends', async (_, kind) => {
  const connecting = fileURLToPath(new URL('../../fixtures/mcp/exitWithoutClosing.ts', import.meta.url));
  const output = execFileSync(process.execPath, [connecting, kind], { encoding: 'utf8' });
  const pid = Number(/^Descendant (\d+)$/m.exec(output)?.[1]);
  killAtEnd(pid);
  expect(pid).toBeGreaterThan(0);
  const group = Number(/^Process (\d+)$/m.exec(output)?.[1]);
  await expect.poll(() => membersOf(group)).toEqual([]);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test.each(['leader', 'orphan'])(
  'a %s that ignores the end of stdin and SIGTERM ends with our process',
  async (kind) => {
    const connecting = fileURLToPath(new URL('../../fixtures/mcp/exitWithoutClosing.ts', import.meta.url));
    const output = execFileSync(process.execPath, [connecting, kind], { encoding: 'utf8' });
    const group = Number(/^Process (\d+)$/m.exec(output)?.[1]);
    expect(group).toBeGreaterThan(0);
    await expect.poll(() => membersOf(group)).toEqual([]);
  },
);
