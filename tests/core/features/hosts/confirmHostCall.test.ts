import { expect, test } from 'vitest';

import type { JsonObject } from '../../../../src-core/base/json.ts';
import { createCallQuestions } from '../../../../src-core/features/calls/callQuestions.ts';
import { confirmHostCall } from '../../../../src-core/features/hosts/confirmHostCall.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

/** A call of a host that asks the host's user and a window, if one is open. */
function ask({ args = {}, hasWindow = true }: { args?: JsonObject; hasWindow?: boolean } = {}) {
  const clock = createManualClock();
  const toolRegistryManager = createToolRegistryManager();
  const questions = createCallQuestions({ clock, toolRegistryManager, onChange: () => undefined });
  const host = Promise.withResolvers<JsonObject>();
  const shown: unknown[] = [];
  let withdrawn = false;
  const decision = confirmHostCall({
    pending: { callId: 'c', caller: 'mcp', identity: '', args, signal: new AbortController().signal },
    caller: { id: 'h', name: 'Claude' },
    toolName: 'lamp_off',
    host: {
      id: 'h',
      log: () => undefined,
      closeStream: () => undefined,
      becomeTask: () => undefined,
      require: () => undefined,
      elicit({ message }, { signal } = {}) {
        shown.push(message);
        signal?.addEventListener('abort', () => (withdrawn = true));
        return host.promise;
      },
    },
    askWindow: hasWindow ? questions.ask : undefined,
  });
  return { clock, questions, shown, answer: host.resolve, isWithdrawn: () => withdrawn, decision };
}

test('the user of the host decides after the question of the window ran out of time', async () => {
  const { clock, questions, answer, isWithdrawn, decision } = ask();
  expect(questions.list()).toMatchObject([{ callId: 'c', host: 'Claude' }]);
  clock.advance(60_000);
  expect([questions.list(), isWithdrawn()]).toEqual([[], false]);
  answer({ action: 'accept', content: { run: true } });
  expect(await decision).toBe(true);
});

test('the window decides after a host dismissed the question', async () => {
  const { questions, answer, decision } = ask();
  answer({ action: 'cancel' });
  await Promise.resolve();
  questions.decide({ callId: 'c', allowed: true });
  expect(await decision).toEqual({ allowed: true });
});

test('a no of the host ends the question of the window', async () => {
  const { questions, answer, isWithdrawn, decision } = ask();
  answer({ action: 'decline' });
  expect(await decision).toBe(false);
  expect([questions.list(), isWithdrawn()]).toEqual([[], true]);
});

test('without any answer the call is refused', async () => {
  const { clock, answer, decision } = ask();
  answer({ action: 'cancel' });
  const refused = expect(decision).rejects.toThrow(
    'the user made no decision. The question was not answered within 60 s.',
  );
  clock.advance(60_000);
  await refused;
});

test('the form of a host shows all arguments, with hidden characters as codes', async () => {
  const text = `${'a'.repeat(5_000)}\u200b\u202e\u{e0041}END`;
  const { shown, answer, decision } = ask({ args: { text } });
  const visible = `${'a'.repeat(5_000)}\\u200b\\u202e\\u{e0041}END`;
  expect(shown).toEqual([`Claude wants to call lamp_off.\nArguments: {"text":"${visible}"}`]);
  answer({ action: 'decline' });
  expect(await decision).toBe(false);
});

test('arguments that are too long for a form are shown only in the window', async () => {
  const args = { text: 'a'.repeat(20_000) };
  const { questions, shown, decision } = ask({ args });
  questions.decide({ callId: 'c', allowed: true });
  expect([await decision, shown]).toEqual([{ allowed: true }, []]);
  await expect(ask({ args, hasWindow: false }).decision).rejects.toThrow(
    'the arguments are too long for a form of this host, and no window of Toolwire is open.',
  );
});
