/** Calls that a node sends, at a clock that a test moves: when each ends, and what is sent to the owner. */
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';

import { ToolError } from '../../../../src-core/base/errors.ts';
import { RemoteCalls } from '../../../../src-core/features/cluster/remoteCalls.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

const [own, owner] = ['a'.repeat(16), 'b'.repeat(16)];

/** A call that is sent to its owner, over a broker that takes what it is told to. */
function openCall(broker: 'sent' | 'away' = 'sent') {
  const clock = createManualClock();
  const sent: string[] = [];
  let takes = broker;
  let answer: (message: unknown) => void = () => undefined;
  const publish = (subject: string) => {
    sent.push(`${subject.split('.').at(-1)} ${takes}`);
    return takes;
  };
  const calls = new RemoteCalls({
    bus: { outages: 0, publish },
    inbox: {
      ask(subject: string, _: object, onAnswer: typeof answer) {
        if (publish(subject) === 'away') queueMicrotask(() => onAnswer('away'));
        answer = onAnswer;
        return () => undefined;
      },
    },
    node: own,
    clock,
    nameOf: () => 'lab-2',
    isDraining: () => false,
    locate: () => undefined,
  } as unknown as ConstructorParameters<typeof RemoteCalls>[0]);
  const ending = new AbortController();
  const device = { node: owner, row: { id: 'lamp', name: 'Lamp', tools: { hash: 'h', connection: 1 } } };
  const onReturn = vi.fn();
  const options = { callId: 'c', timeoutMs: 30_000, signal: ending.signal, onReturn };
  let outcome: unknown;
  const given = [device, 'run', {}, options] as unknown as Parameters<RemoteCalls['invoke']>;
  void calls.invoke(...given).catch((error: unknown) => (outcome = error));
  return {
    clock,
    calls,
    sent,
    setBroker: (state: typeof takes) => (takes = state),
    answer: (data: object) => answer({ data, topic: '1' }),
    onReturn,
    cancel: () => ending.abort(new ToolError('cancelled', 'Enough.')),
    outcome: async () => {
      await setImmediate();
      return (outcome as Error | undefined)?.message;
    },
  };
}

const silent = 'The node "lab-2", which has the device, does not answer. The call may have run.';

const uncertain = 'The call was cancelled, and the node "lab-2" does not answer. The call may have run.';

test.each([
  ['did not run', { ran: false }, 1],
  ['ran', undefined, 0],
])('a cancelled call ends when its owner says that it %s', async (_, details, returned) => {
  const { sent, answer, cancel, outcome, onReturn } = openCall();
  answer({ kind: 'accepted' });
  cancel();
  answer({ kind: 'progress', progress: 1 });
  expect(await outcome()).toBeUndefined();
  const error = { code: 'cancelled', message: 'Cancelled.', details };
  answer({ kind: 'outcome', outcome: { durationMs: 0, text: '', error } });
  expect(await outcome()).toBe('Enough.');
  expect(onReturn).toHaveBeenCalledTimes(returned);
  expect(sent).toEqual(['call sent', 'cancel sent']);
});

test('a cancelled call that its owner refuses did not run, and is not sent elsewhere', async () => {
  const { sent, answer, cancel, outcome, onReturn } = openCall();
  cancel();
  answer({ kind: 'refused', why: 'draining' });
  expect(await outcome()).toBe('Enough.');
  expect(onReturn).toHaveBeenCalledOnce();
  expect(sent).toEqual(['call sent', 'cancel sent']);
});

test('a cancelled call whose owner does not answer within 2 s may have run', async () => {
  const { clock, answer, cancel, outcome } = openCall();
  answer({ kind: 'accepted' });
  cancel();
  clock.advance(1_999);
  expect(await outcome()).toBeUndefined();
  clock.advance(1);
  expect(await outcome()).toBe(uncertain);
});

test('a cancel is sent again each second, for 5 s, until the broker takes it', async () => {
  const { clock, sent, setBroker, answer, cancel, outcome } = openCall();
  answer({ kind: 'accepted' });
  setBroker('away');
  cancel();
  expect(await outcome()).toBe(uncertain);
  clock.advance(2_000);
  setBroker('sent');
  clock.advance(10_000);
  expect(sent).toEqual(['call sent', 'cancel away', 'cancel away', 'cancel away', 'cancel sent']);
});

test('a cancel that the broker does not take for 5 s is not sent any more', () => {
  const { clock, sent, setBroker, answer, cancel } = openCall();
  answer({ kind: 'accepted' });
  setBroker('away');
  cancel();
  clock.advance(60_000);
  expect(sent).toEqual(['call sent', ...Array<string>(6).fill('cancel away')]);
});

test('a call that its owner does not accept ends after 2 s, and is cancelled there', async () => {
  const { clock, sent, outcome } = openCall();
  clock.advance(1_999);
  expect(await outcome()).toBeUndefined();
  clock.advance(1);
  expect(await outcome()).toBe(silent);
  expect(sent).toEqual(['call sent', 'cancel sent']);
});

test('a call whose owner answers none of five questions about it ends, and is cancelled there', async () => {
  const { clock, sent, answer, outcome } = openCall();
  answer({ kind: 'accepted' });
  clock.advance(8_000);
  answer({ kind: 'accepted' });
  clock.advance(11_999);
  expect(await outcome()).toBeUndefined();
  clock.advance(1);
  expect(await outcome()).toBe(silent);
  expect(sent).toEqual(['call sent', ...Array<string>(9).fill('status sent'), 'cancel sent']);
});

test('a call is asked about for as long as the broker is away', async () => {
  const { clock, sent, setBroker, answer, outcome } = openCall();
  answer({ kind: 'accepted' });
  setBroker('away');
  for (let at = 0; at < 20; at += 1) {
    clock.advance(2_000);
    await outcome();
  }
  expect(await outcome()).toBeUndefined();
  expect(sent).toHaveLength(21);
});

test('a call while the broker is away is refused at once, and is not sent later', async () => {
  const { clock, sent, setBroker, outcome } = openCall('away');
  expect(await outcome()).toBe('The node "lab-2" cannot be reached. Nothing ran.');
  setBroker('sent');
  clock.advance(60_000);
  expect(sent).toEqual(['call away']);
});

test('a call whose owner is lost ends at once', async () => {
  const { calls, answer, outcome } = openCall();
  answer({ kind: 'accepted' });
  calls.failNode(owner);
  expect(await outcome()).toBe(
    'The connection to the node "lab-2", which has the device, was lost. The call may have run.',
  );
});
