import { afterEach, expect, test } from 'vitest';
import { ORPCError } from '@orpc/client';

import { setLanguage } from '../../../renderer/i18n/index.ts';
import { loadEngineTexts } from '../../../renderer/i18n/engine/wordEngine.ts';
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

test('a cause in English is translated, but not the words of a server', async () => {
  setLanguage('zh');
  await Promise.all([loadMessages(), loadEngineTexts()]);
  const text = 'English';
  const reason = { text, code: 'servers.reason.other', params: { reason: 'other side closed' } };
  const unreachable = { text, code: 'servers.failed.unreachable', params: { url: 'http://a/', reason } };
  expect(textOf(unreachable)).toBe('无法访问 http://a/：对方关闭了连接。请检查 URL 和网络。');
  const failed = { text, code: 'servers.note.request-failed', params: { reason: 'fetch failed: bad port' } };
  expect(textOf(failed)).toBe('连接失败：请求失败：Node.js 和浏览器禁止使用此端口');
  const refused = { text, code: 'servers.requestRefused', params: { reason: 'fetch failed', code: '-1' } };
  expect(textOf(refused)).toBe('服务器拒绝了请求：fetch failed（-1）');
});

test('a rejected request is worded by its code, not by its sentence', async () => {
  setLanguage('zh');
  const data = { code: 'chat.full', params: { entries: 2_000 } };
  const error = new ORPCError('TOO_MANY_REQUESTS', { message: 'Any sentence.', data });
  await wordEngineError(error);
  expect(error.message).toBe('此对话已满，共 2,000 条。请开始新的对话。');
});
