/** When `response.create` is sent: one response at a time, and again after one that was refused or lost. */
import { describe, expect, test } from 'vitest';

import { realtimeLimits } from '../../../../src-core/realtime/limits.ts';
import { ResponseGate } from '../../../../src-core/realtime/session/responseGate.ts';
import { HandClock } from '../beds.ts';

function openGate(): { gate: ResponseGate; clock: HandClock; created: () => number } {
  const clock = new HandClock();
  let count = 0;
  const gate = new ResponseGate({
    clock,
    create: () => {
      count += 1;
    },
  });
  gate.open();
  return { gate, clock, created: () => count };
}

describe('a response that was asked for and has not begun', () => {
  test('is still waited for if another response ends', () => {
    const { gate, created } = openGate();
    gate.request();
    gate.done('of-the-server');
    expect({ asked: gate.asked, waits: gate.waits }).toEqual({ asked: true, waits: true });
    gate.request();
    expect(created()).toBe(1);
  });

  test('is asked for again after 10 s, not before', () => {
    const { gate, clock, created } = openGate();
    gate.request();
    gate.request();
    clock.pass(realtimeLimits.answerMs - 1);
    expect(created()).toBe(1);
    clock.pass(1);
    expect(created()).toBe(2);
  });

  test('is asked for again on the next connection, unless it was withdrawn', () => {
    for (const withdrawn of [false, true]) {
      const { gate, created } = openGate();
      gate.request();
      if (withdrawn) gate.withdraw();
      expect(gate.lost()).toBeUndefined();
      gate.open();
      expect(created()).toBe(withdrawn ? 1 : 2);
    }
  });

  test('is not asked for again if the server refuses it', () => {
    const { gate, clock, created } = openGate();
    gate.request();
    gate.refused();
    clock.pass(2 * realtimeLimits.answerMs);
    expect(created()).toBe(1);
    expect({ asked: gate.asked, waits: gate.waits }).toEqual({ asked: false, waits: false });
    gate.request();
    expect(created()).toBe(2);
  });
});

describe('while a response runs', () => {
  test('the next is asked for once it is done, and only if it is that one', () => {
    const { gate, created } = openGate();
    gate.created('r1');
    gate.request();
    gate.done('r0');
    expect(created()).toBe(0);
    expect(gate.active).toBe('r1');
    gate.done('r1');
    expect(created()).toBe(1);
  });

  test('that is not known here, a refusal waits for its end', () => {
    const { gate, created } = openGate();
    gate.request();
    gate.refusedAsBusy();
    expect({ asked: gate.asked, waits: gate.waits, created: created() }).toEqual({
      asked: false,
      waits: true,
      created: 1,
    });
    gate.done('unknown');
    expect(created()).toBe(2);
  });

  test('a withdrawn request that was refused as busy is not repeated', () => {
    const { gate, created } = openGate();
    gate.request();
    gate.withdraw();
    gate.refusedAsBusy();
    gate.done('unknown');
    expect(created()).toBe(1);
  });

  test('the connection is lost: the response that was cut is returned, and nothing is asked for while it is away', () => {
    const { gate, created } = openGate();
    gate.created('r1');
    expect(gate.lost()).toBe('r1');
    gate.request();
    expect(created()).toBe(0);
    gate.open();
    expect(created()).toBe(1);
  });
});
