import { afterEach, expect, test } from 'vitest';

import { explainError } from '../../../../renderer/features/calls/explainError.ts';
import { loadEngineTexts } from '../../../../renderer/i18n/engine/wordEngine.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { invalidArguments } from '../../../../src-core/schema/invalidArguments.ts';

afterEach(() => setLanguage('en'));

test('says in Chinese what each argument of a call has wrong', async () => {
  const issues = [
    { path: '/city', parameter: 'city', message: '"city" is missing. It is required: text.' },
    { path: '/days', parameter: 'days', message: '9 is above the maximum, 7. Use 7.' },
  ];
  const { info } = invalidArguments('weather_query', { issues, unchecked: false });
  expect(explainError(info, { fromDevice: false }).why).toBe(info.message);
  setLanguage('zh');
  await loadEngineTexts();
  expect(explainError(info, { fromDevice: false }).why).toBe(
    'weather_query 的参数不符合要求：缺少必填的“city”（文本）；“days”：不能大于 7（实际为 9），可改用 7。',
  );
});

test('tells the author of a module how to offer a method to models', () => {
  const error = { code: 'not-agent-callable' as const, message: 'x' };
  expect(explainError({ ...error, details: { kind: 'module' } }, { fromDevice: false }).next).toContain(
    'Set agentCallable: true',
  );
  expect(explainError({ ...error, details: { kind: 'mcp' } }, { fromDevice: false }).next).not.toContain(
    'agentCallable',
  );
});

test('gives the reason of a refusal, and does not advise the user to approve the call', () => {
  const message = 'The user refused this call: not now';
  const { why, next } = explainError({ code: 'not-authorized', message }, { fromDevice: false });
  expect({ why, next }).toEqual({ why: message, next: '' });
});

test('names a wrong id as the first cause of a timeout, and what to look at', () => {
  const details = { timeoutMs: 30_000, unmatchedFrames: 1, lastUnmatched: 'its id is -1' };
  const { causes, next } = explainError({ code: 'timeout', message: 'x', details }, { fromDevice: true });
  expect(causes[0]).toBe(
    'The frame that matches no request is probably the answer. Its id must be that of the request.',
  );
  expect(next).toBe('Compare the id of the frame with that of the request in Wire.');
});
