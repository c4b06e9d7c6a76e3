import { beforeEach, expect, test } from 'vitest';

import { realtimeLimits } from '../../../../src-core/realtime/limits.ts';
import { ToolRounds } from '../../../../src-core/realtime/session/toolRounds.ts';

let asked = 0;
let rounds: ToolRounds;
beforeEach(() => {
  asked = 0;
  rounds = new ToolRounds(() => (asked += 1));
});

/** A call of the response `resp_1` whose tool has ended. */
function open(callId: string): NonNullable<ReturnType<ToolRounds['waiting']>> {
  rounds.open({ callId, name: 'clock', argumentsText: '{}', responseId: 'resp_1' });
  const call = rounds.waiting(callId)!;
  call.output = 'noon';
  return call;
}
const unsettled = (): string[] => rounds.unsettled().map(({ callId }) => callId);

test('a response begins with an output that the server has confirmed, and settles it when it ends', () => {
  const call = open('a');
  rounds.sent(call);
  rounds.confirmed('a');
  // The response with the call has not ended, so no answer was asked for.
  rounds.responseCreated('resp_2');
  expect(unsettled()).toEqual(['a']);
  rounds.responseDone('resp_2', 'completed');
  expect([unsettled(), asked]).toEqual([[], 0]);
});

test('an output that was confirmed only before it was sent is not known to a response that nobody asked for', () => {
  const call = open('a');
  rounds.confirmed('a');
  rounds.sent(call);
  rounds.responseCreated('resp_2');
  rounds.responseDone('resp_2', 'completed');
  expect([unsettled(), asked]).toEqual([['a'], 0]);
});

test('after an interruption no answer is asked for, and the next response settles the output', () => {
  const call = open('a');
  rounds.silence();
  rounds.sent(call);
  rounds.responseDone('resp_1', 'completed');
  rounds.responseCreated('resp_2');
  rounds.responseDone('resp_2', 'completed');
  expect([unsettled(), asked]).toEqual([[], 0]);
});

test('an answer is asked for once, when all outputs are sent and the response is done', () => {
  const [one, two] = [open('a'), open('b')];
  rounds.sent(two);
  rounds.responseDone('resp_1', 'completed');
  expect(asked).toBe(0);
  rounds.sent(one);
  expect(asked).toBe(1);
  rounds.sent(one);
  rounds.responseDone('resp_1', 'completed');
  expect(asked).toBe(1);
  rounds.responseCreated('resp_2');
  rounds.responseDone('resp_2', 'failed');
  expect(unsettled()).toEqual(['a', 'b']);
  rounds.responseCreated('resp_3');
  rounds.responseDone('resp_3', 'completed');
  expect(unsettled()).toEqual([]);
});

test('after a lost connection all is sent and asked for again, also if the response never ended', () => {
  const call = open('a');
  rounds.sent(call);
  expect(asked).toBe(0);
  rounds.lost();
  expect(call).toMatchObject({ sent: false, confirmed: false });
  rounds.sent(call);
  expect(asked).toBe(1);
});

test('what the server refuses is settled; of outputs that it never confirms only the newest are kept', () => {
  for (let at = 0; at <= realtimeLimits.unconfirmedCalls; at += 1) rounds.sent(open(`${at}`));
  expect(unsettled()).toHaveLength(realtimeLimits.unconfirmedCalls);
  expect(unsettled()[0]).toBe('1');
  rounds.refused('1');
  expect(unsettled()[0]).toBe('2');
  expect([rounds.isKnown('1'), rounds.isKnown('none'), rounds.waiting('2'), rounds.running]).toEqual([
    ...[true, false, undefined, 0],
  ]);
});
