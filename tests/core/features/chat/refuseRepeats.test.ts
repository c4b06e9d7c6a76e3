import { expect, test } from 'vitest';

import type { PlannedCall } from '../../../../src-core/features/chat/plannedCalls.ts';
import { createRepeatCounter } from '../../../../src-core/features/chat/refuseRepeats.ts';

const planned = (argsJson: string): PlannedCall =>
  ({ call: { toolName: 'a', argsJson, argumentsText: argsJson } }) as unknown as PlannedCall;
const nested = `{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}`;

test.each([
  ['the same arguments', '{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['arguments that are nested too deep to be compared', nested, nested],
])('counts %s', async (_what, first, second) => {
  const counter = createRepeatCounter();
  const calls = [planned(first), planned(second), planned(first)];
  expect(await counter.refuse(calls, 1)).toBe(false);
  expect(calls.map(({ refusal }) => refusal?.code)).toEqual([undefined, undefined, 'repeated-call']);
});
