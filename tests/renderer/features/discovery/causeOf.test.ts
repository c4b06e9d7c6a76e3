import { expect, it, onTestFinished } from 'vitest';

import { causeOf } from '../../../../renderer/features/discovery/toolState.ts';
import { loadEngineTexts } from '../../../../renderer/i18n/engine/wordEngine.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';

it.each([
  [
    'method "roll" has no handler. Add `handler(args, { signal, onProgress }) { … }`.',
    '没有 handler。请添加 handler(args, { signal, onProgress }) { … }。',
  ],
  [
    'method "roll" has an inputSchema that does not describe an object. Correct the schema.',
    'inputSchema 描述的不是对象。请改正 Schema。',
  ],
  ['method "roll" has an unknown field "x". Known fields: a, b.', '有无法识别的字段“x”。可用的有 a、b。'],
  [
    'method "roll" has an agentCallable that is not a boolean. Write true or false.',
    'agentCallable 不是布尔值。请写 true 或 false。',
  ],
])('cuts the name off %s', async (english, chinese) => {
  const error = `dice.js:3 ${english} It is loaded again when the file is saved.`;
  expect(causeOf(error, 'roll')).toBe(
    `${english.slice('method "roll" '.length).replaceAll('`', '')} It is loaded again when the file is saved.`,
  );
  onTestFinished(() => setLanguage('en'));
  setLanguage('zh');
  await loadEngineTexts();
  expect(causeOf(error, 'roll')).toBe(`${chinese}保存文件后会重新加载。`);
});
