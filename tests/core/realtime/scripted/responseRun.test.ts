import { expect, test } from 'vitest';
import { usageOf } from '../../../../src-core/realtime/scripted/responseRun.ts';

test('the usage adds text and sound, each rounded up', () => {
  expect(usageOf({ heardMs: 250, readChars: 9, saidMs: 120, wroteChars: 5 })).toEqual({
    total_tokens: 11,
    input_tokens: 6,
    output_tokens: 5,
    input_token_details: { cached_tokens: 0, text_tokens: 3, audio_tokens: 3 },
    output_token_details: { text_tokens: 2, audio_tokens: 3 },
  });
});
