/** How late a message of another node is, by its beats and without wall clocks. */
import { expect, onTestFinished, test } from 'vitest';

import { Members } from '../../../../src-core/features/cluster/members.ts';
import { wireVersion } from '../../../../src-core/features/cluster/messages.ts';
import { handClock } from '../calls/runs/handClock.ts';

const node = 'a'.repeat(16);

/** A node whose clock shows an hour more than this one's. */
function openMembers() {
  const clock = handClock();
  const states: (string | undefined)[] = [];
  const members = new Members(clock, (_, state) => states.push(state));
  onTestFinished(() => members.close());
  let ahead = 3_600_000;
  const facts = { name: 'other', version: '0.0.0', seq: 0, devices: 0, calls: 0, draining: false };
  /** What the other node's clock showed so many ms ago. */
  const at = (ago = 0): number => clock.now() + ahead - ago;
  return {
    members,
    states,
    /** A beat that was sent so many ms ago. */
    beat: (ago = 0) => members.add({ v: wireVersion, node, at: at(ago), ...facts }),
    /** The measured delay of a message that was sent so many ms ago. */
    delay: (ago = 0) => members.delayOf(node, at(ago)),
    pass(ms: number, eachSecond: () => void = () => undefined) {
      for (let passed = 0; passed < ms; passed += 500) {
        clock.move(500);
        if (passed % 1_000 === 0) eachSecond();
      }
    },
    /** The machine of the other node sleeps: its clock stands still. */
    sleep(ms: number) {
      this.pass(ms);
      ahead -= ms;
    },
  };
}

test('a message is as late as it takes longer than the beats', () => {
  const { beat, delay, pass } = openMembers();
  pass(200_000, () => beat(20));
  expect([delay(20), delay(2_520)]).toEqual([0, 2_500]);
});

test('a message that arrives with the first, late beat of a node that was lost is late', () => {
  const { states, beat, delay, pass } = openMembers();
  pass(10_000, beat);
  pass(8_000);
  expect(states.at(-1)).toBe('lost');
  beat(8_000);
  expect([states.at(-1), delay(8_000)]).toEqual(['live', 8_000]);
  pass(5_000, beat);
  expect(delay(2_500)).toBe(2_500);
});

test.each([2_500, 60_000])('a node whose machine slept for %i ms is late for a few seconds only', (ms) => {
  const opened = openMembers();
  const { beat, delay, pass } = opened;
  pass(10_000, beat);
  opened.sleep(ms);
  beat();
  expect(delay()).toBe(ms);
  pass(6_000, beat);
  expect([delay(), delay(2_500)]).toEqual([0, 2_500]);
});

test('beats that waited while this node was stopped do not hide the delay of a call among them', () => {
  const { beat, delay, pass } = openMembers();
  pass(10_000, beat);
  pass(4_000);
  for (const ago of [4_000, 3_000, 2_000]) beat(ago);
  expect(delay(4_000)).toBe(4_000);
  for (const ago of [1_000, 0]) beat(ago);
  pass(6_000, beat);
  expect(delay(2_500)).toBe(2_500);
});

test('a node that has left is told from one that is lost until it comes back', () => {
  const { members, beat, pass } = openMembers();
  const hasLeft = () => members.get(node)?.hasLeft;
  beat();
  members.leave(node);
  expect(hasLeft()).toBe(true);
  beat();
  pass(6_000);
  expect([members.get(node)?.state, hasLeft()]).toEqual(['lost', false]);
});

test('at most 256 nodes are listed: for another one, the node that is lost for longest is forgotten', () => {
  const clock = handClock();
  const states: string[] = [];
  const members = new Members(clock, (one, state) => states.push(`${one.slice(-3)} ${state ?? 'forgotten'}`));
  onTestFinished(() => members.close());
  const facts = { version: '0.0.0', seq: 0, devices: 0, calls: 0, draining: false };
  const beat = (at: number): boolean => {
    const one = at.toString(16).padStart(16, '0');
    return members.add({ v: wireVersion, node: one, name: one, at: clock.now(), ...facts });
  };
  for (let at = 0; at < 256; at += 1) expect(beat(at)).toBe(true);
  expect(beat(256)).toBe(false);
  members.leave('1'.padStart(16, '0'));
  clock.move(1);
  beat(0);
  members.leave('0'.padStart(16, '0'));
  states.length = 0;
  expect([beat(256), beat(257), beat(258)]).toEqual([true, true, false]);
  expect(states).toEqual(['001 forgotten', '100 live', '000 forgotten', '101 live']);
  expect(members.list()).toHaveLength(256);
});
