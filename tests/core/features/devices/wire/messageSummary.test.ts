import { expect, test } from 'vitest';

import { messageSummary } from '../../../../../src-core/features/devices/wire/messageSummary.ts';

test.each([
  [{ type: 'stt', text: '现在几点？' }, 'stt: 现在几点？'],
  [{ type: 'tts', state: 'sentence_start', text: 'It is\nlate.' }, 'tts sentence_start: It is late.'],
  [{ type: 'listen', state: 'detect', text: '你好小智' }, 'listen detect: 你好小智'],
  [{ type: 'alert', status: 'Error', message: 'No network', emotion: 'sad' }, 'alert: No network'],
  [{ type: 'tts', state: 'start' }, 'tts start'],
  [{ type: 'stt', text: '' }, 'stt'],
  [{ type: 'stt', text: { not: 'a text' } }, 'stt'],
  [{ type: '', state: 7 }, 'message without a type'],
  [{ type: 'stt', text: 'a'.repeat(100_000) }, `stt: ${'a'.repeat(80)}`],
])('%j', (message, summary) => {
  expect(messageSummary(message.type, message)).toBe(summary);
});
