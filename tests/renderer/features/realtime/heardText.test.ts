import { describe, expect, it } from 'vitest';

import { heardText } from '../../../../renderer/features/realtime/transcript/heardText.ts';
import { sessionDraftOf, sessionOptionsOf } from '../../../../renderer/features/realtime/setup/sessionDraft.ts';

describe('the words that were heard', () => {
  it('end with a whole word', () => {
    const text = 'The weather is grey today';
    expect(heardText({ text, heard: { ms: 0, ofMs: 1_000 } })).toBe('');
    expect(heardText({ text, heard: { ms: 300, ofMs: 1_000 } })).toBe('The weather');
    expect(heardText({ text, heard: { ms: 1_000, ofMs: 1_000 } })).toBe(text);
    expect(heardText({ text })).toBe(text);
    expect(heardText({ text: 'Grey today. ', heard: { ms: 880, ofMs: 1_000 } })).toBe('Grey today. ');
  });

  it('end with a character in Chinese', () => {
    expect(heardText({ text: '今天天气很好', heard: { ms: 500, ofMs: 1_000 } })).toBe('今天天');
  });
});

describe('settings of a session as they are typed', () => {
  it('come back as they were', () => {
    const options = {
      output: 'text' as const,
      transcription: { model: 'm', language: 'de' },
      turnDetection: { type: 'server_vad' as const, silenceMs: 800, threshold: 0.6, prefixPaddingMs: 0 },
      temperature: 0,
      speed: 1.2,
      extra: { a: { b: [1] } },
    };
    expect(sessionOptionsOf(sessionDraftOf(options))).toEqual(options);
    expect(sessionOptionsOf(sessionDraftOf({ transcription: false }))).toEqual({ transcription: false });
    expect(sessionOptionsOf(sessionDraftOf())).toEqual({});
  });

  it('are not sent while the further fields are not a JSON object', () => {
    for (const extra of ['{', '[]', '5', 'null'])
      expect(sessionOptionsOf({ ...sessionDraftOf(), extra })).toBeUndefined();
  });
});
