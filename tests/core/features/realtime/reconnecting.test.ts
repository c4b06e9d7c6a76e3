/** A conversation whose connection is lost while it goes on. */
import { expect, test } from 'vitest';

import { openRealtime, updatesOnce } from './support.ts';

test('it says that it connects again and why, then goes on with both in the transcript', async () => {
  const workbench = await openRealtime({
    turns: [{ say: 'Once upon a time there was a board.', fault: 'drop-socket' }, { say: 'Here I am.' }],
    atEnd: 'silent',
  });
  const { realtime } = workbench.services;
  const { sessionId: id } = await realtime.open({});
  await realtime.sendText({ id, text: 'Hello' });
  const lost = await updatesOnce(workbench, id, ({ session }) => session.state === 'reconnecting');
  expect(lost.session.reason).toMatch(/Connecting again\.$/);
  const back = await updatesOnce(workbench, id, ({ session }) => session.state === 'connected');
  expect(back.session.reason).toBeUndefined();
  const notes = back.transcript.filter(({ who }) => who === 'note').map(({ text }) => text);
  expect(notes).toEqual([lost.session.reason, expect.stringMatching(/^Connected again after \d+\.\d s\.$/)]);
});
