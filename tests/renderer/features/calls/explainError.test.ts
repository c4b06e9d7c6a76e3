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
