import { afterEach, expect, it } from 'vitest';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { explainModelError } from '../../../../renderer/features/models/explainModelError.ts';
import type { ChatModelErrorCode, JsonObject } from '../../../../src-core/contract/types.ts';

afterEach(() => setLanguage('en'));
const explain = (code: ChatModelErrorCode, details: JsonObject = {}) =>
  explainModelError({ code, message: 'The engine’s words.', details });

it.each<[ChatModelErrorCode, JsonObject, string, string]>([
  ['cancelled', {}, 'The step was cancelled.', ''],
  ['timeout', { limitMs: 30_000 }, 'No complete reply within 30 s. Allow more time, or try again.', ''],
  ['timeout', {}, 'The engine’s words.', ''],
  ['unreachable', {}, 'The engine’s words.', ''],
  ['unreachable', { url: 'http://a', cause: 'EHOSTUNREACH' }, 'The engine’s words.', ''],
  ['http', { status: 401, message: 'No' }, 'The server answered 401: “No”.', 'Check the key.'],
  ['http', { status: 404, message: '' }, 'The server answered 404.', 'Check the base URL and the model ID.'],
  ['http', { status: 429, message: 'Slow' }, 'The server answered 429: “Slow”.', 'Wait a little, then try again.'],
  [
    'http',
    { status: 429, message: 'Slow', retryAfter: '20' },
    'The server answered 429: “Slow”.',
    'Try again in 20 s.',
  ],
  ['http', { status: 429, message: 'Slow.' }, 'The server answered 429: “Slow”.', 'Wait a little, then try again.'],
  ['http', { status: 500, message: 'Down' }, 'The server answered 500: “Down”.', ''],
  ['http', { status: 307, location: 'http://a' }, 'The server answered 307.', 'The engine’s words.'],
  ['answer', {}, 'The response is not a chat completion.', 'The engine’s words.'],
  ['too-large', {}, 'The reply is larger than Toolwire accepts.', 'The engine’s words.'],
  ['stream', {}, 'The server closed the stream early.', 'The engine’s words.'],
  ['script', {}, 'No script turn matches.', 'The engine’s words.'],
])('words %s %j', (code, details, what, more) => {
  expect(explain(code, details)).toEqual({ what, more });
});

it('has the first sentence of an unreachable server as what happened', () => {
  const message = 'The model’s server cannot be reached at http://a.b:1/v1: ECONNREFUSED. Check that it is running.';
  expect(explainModelError({ code: 'unreachable', message, details: {} })).toEqual({
    what: 'The model’s server cannot be reached at http://a.b:1/v1: ECONNREFUSED.',
    more: 'Check that it is running.',
  });
});

it('speaks the window’s language', () => {
  setLanguage('zh');
  expect(explain('http', { status: 401, message: 'No。' })).toEqual({
    what: '服务器返回 401：“No”。',
    more: '请检查密钥。',
  });
});
