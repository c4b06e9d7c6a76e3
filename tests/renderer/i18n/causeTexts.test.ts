/** Chinese sentences that end with a cause in the words of Node, undici or a parser. */
import { expect, test } from 'vitest';

import { createWording } from '../../../renderer/i18n/engine/createWording.ts';
import { frameTexts } from '../../../renderer/i18n/engine/zh/frames.ts';
import { engineTexts } from '../../../renderer/i18n/engine/zh/index.ts';

const word = createWording(engineTexts);

test.each([
  [
    'Crash answered tools/call #3 with text that is not UTF-8 (byte E9 at position 485). Either a character was cut in two, or the text is in another encoding, such as GBK. The frame: {',
    'Crash 对 tools/call #3 的应答不是 UTF-8（位置 485 处的字节 E9）。可能是字符被截断，或文本用了其他编码，例如 GBK。帧内容：{',
  ],
  [
    'The connection to Crash ended without a close frame (1006), 9.7 ms after request #3 (self.get), without an answer.',
    '请求 #3（self.get）发出 9.7 ms 后，与 Crash 的连接断开（1006，没有关闭帧），未收到应答。',
  ],
  [
    'The connection was cut during the answer (other side closed). Try again.',
    '应答途中连接断开：对方关闭了连接。请重试。',
  ],
  [
    'The model’s server cannot be reached at http://a/v1: ECONNREFUSED. Check that it is running and that the address is correct.',
    '无法连接 http://a/v1 的模型服务器：连接被拒绝（ECONNREFUSED）。请检查服务器是否正在运行，以及地址是否正确。',
  ],
  [
    'The answer of the server is not a list of models (Invalid JSON response). It sent: an HTML page, “Login”',
    '服务器的应答不是模型列表（不是有效的 JSON）。收到的内容：网页“Login”',
  ],
  ['Could not listen on a:80: getaddrinfo ENOTFOUND a', '无法在 a:80 上监听：无法解析主机名（ENOTFOUND）'],
  ['This must be a whole number from 0 to 100.', '必须是 0 到 100 的整数。'],
])('%s', (english, chinese) => {
  expect(word(english)).toBe(chinese);
});

test('a sentence in a sentence ends with one full stop', () => {
  expect(word('It could not be checked: the schema is too large or too deep; the rest of it is not checked..')).toBe(
    '无法检查：Schema 过大或嵌套过深，其余部分不作检查。',
  );
});

test('why a message of a client of the gateway was refused is translated in the log', () => {
  expect(createWording(frameTexts)('The message is not valid JSON')).toBe('消息不是有效的 JSON');
});
