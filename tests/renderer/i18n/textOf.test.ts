import { afterEach, expect, test } from 'vitest';
import { ORPCError } from '@orpc/client';

import { setLanguage } from '../../../renderer/i18n/index.ts';
import { loadMessages, textOf } from '../../../renderer/i18n/textOf.ts';
import { wordEngineError } from '../../../renderer/i18n/engine/wordEngineError.ts';

afterEach(() => setLanguage('en'));

const gone = { text: 'This chat does not exist. It may have been deleted.', code: 'chat.gone' };

test('a message is in the window’s language', async () => {
  expect(textOf(gone)).toBe(gone.text);
  setLanguage('zh');
  await loadMessages();
  expect(textOf(gone)).toBe('此对话不存在，可能已删除。');
  expect(textOf({ text: 'The bulb is broken.' })).toBe('The bulb is broken.');
});

test('a rejected request is worded by its code, not by its sentence', async () => {
  setLanguage('zh');
  const data = { code: 'chat.full', params: { entries: 2_000 } };
  const error = new ORPCError('TOO_MANY_REQUESTS', { message: 'Any sentence.', data });
  await wordEngineError(error);
  expect(error.message).toBe('此对话已满，共 2,000 条。请开始新的对话。');
});
