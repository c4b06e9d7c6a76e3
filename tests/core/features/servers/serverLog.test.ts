import { expect, test } from 'vitest';

import { localize } from '../../../../src-core/base/messages/localize.ts';
import type { ServerLogLine } from '../../../../src-core/contract/servers.ts';
import { ServerLog } from '../../../../src-core/features/servers/serverLog.ts';

let at = 0;
const life = (message: ReturnType<typeof localize>): ServerLogLine => ({
  at: (at += 1),
  kind: 'life',
  text: message.text,
  message,
});
const stderr = (text: string): ServerLogLine => ({ at: (at += 1), kind: 'stderr', text });
const started = (pid: number) => life(localize('servers.note.process-started', { pid: String(pid) }));
const ended = (how: string) => life(localize('servers.note.process-ended', { how }));
const shown = (log: ServerLog) =>
  log.lines.map(({ text, count }) => (count === undefined ? text : `${text} ×${count}`));

test('an attempt that fails like the one before is counted, with the time of the last one', () => {
  const log = new ServerLog();
  for (const pid of [1, 2, 3]) {
    log.write(started(pid));
    log.write(stderr('no licence'));
    log.write(ended('exit code 3'));
    log.fail(ended('exit code 3'));
  }
  const line = 'The process ended (exit code 3)';
  expect(shown(log)).toEqual(['Process 1', 'no licence', line, `${line} ×3`]);
  expect(log.lines.at(-1)?.at).toBe(at);
});

test('an attempt that differs is written in full, and is what the next one is compared with', () => {
  const log = new ServerLog();
  log.write(started(1));
  log.fail(ended('exit code 3'));
  log.write(started(2));
  log.write(stderr('warming up'));
  log.fail(ended('exit code 3'));
  const written = [
    'Process 1',
    'The process ended (exit code 3)',
    'Process 2',
    'warming up',
    'The process ended (exit code 3)',
  ];
  expect(shown(log)).toEqual(written);
  log.write(started(3));
  log.fail(ended('exit code 4'));
  expect(shown(log)).toEqual([...written, 'Process 3', 'The process ended (exit code 4)']);
});

test('what is said again and again is counted, and not what the process writes', () => {
  const log = new ServerLog();
  const late = (id: number) => life(localize('servers.note.late-progress', { id: String(id) }));
  for (const line of [late(1), late(1), late(1), late(2), stderr('tick'), stderr('tick'), late(2)]) log.write(line);
  const [first, second] = [late(1).text, late(2).text];
  expect(shown(log)).toEqual([`${first} ×3`, second, 'tick', 'tick', second]);
  log.fail(late(2));
  log.write(late(2));
  expect(shown(log).slice(-3)).toEqual([second, second, second]);
});

test('the newest 500 lines are kept', () => {
  const log = new ServerLog();
  for (let number = 0; number < 502; number += 1) log.write(stderr(`${number}`));
  expect(log.lines).toHaveLength(500);
  expect(log.lines[0]?.text).toBe('2');
});
