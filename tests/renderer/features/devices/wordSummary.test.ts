import { afterEach, expect, it } from 'vitest';

import { wordSummary } from '../../../../renderer/features/log/wordSummary.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';

afterEach(() => setLanguage('en'));

it.each([
  ['exit code 7', '退出码 7'],
  ['signal SIGTERM', '信号 SIGTERM'],
])('words how a process ended: %s', (english, chinese) => {
  setLanguage('zh');
  const summary = `The process ended (${english})`;
  expect(wordSummary({ kind: 'close', direction: 'in', summary })).toBe(`进程已退出（${chinese}）`);
});
