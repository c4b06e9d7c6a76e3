import { expect, test } from 'vitest';

import { boundStep, maxBodyLength } from '../../../../src-core/features/chat/boundStep.ts';
import type { ChatStep } from '../../../../src-core/contract/chat.ts';

const step: ChatStep = {
  id: 's',
  sessionId: 'c',
  entryId: 'e',
  at: 1,
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  exchange: {
    request: { method: 'POST', url: 'http://x/', headers: {}, body: { messages: ['Hello'] } },
    response: { status: 200, headers: {}, body: 'data: hi' },
    durationMs: 1,
  },
};

test('a step of usual size is kept as it is', () => {
  expect(boundStep(step)).toEqual(step);
  expect(boundStep({ ...step, exchange: undefined })).toMatchObject({ messages: step.messages });
});

test('bodies and prompts over a million characters are cut, and say so', () => {
  const long = 'é'.repeat(maxBodyLength + 10);
  const { request, response } = step.exchange!;
  const bounded = boundStep({
    ...step,
    messages: [{ role: 'user', content: long }],
    exchange: { durationMs: 1, request: { ...request, body: { long } }, response: { ...response!, body: long } },
  });
  expect(bounded.exchange.response.body).toMatch(/^é+… \(10 more characters were not kept\)$/);
  expect(bounded.exchange.request.body).toMatch(/^\{"long":"é+… \(the rest was not kept\)$/);
  expect(bounded.messages).toHaveLength(1);
  expect(bounded.messages[0]!.content).toMatch(/… \(the rest was not kept\)$/);
  expect(JSON.stringify(bounded).length).toBeLessThan(3.1 * maxBodyLength);
});
