import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventChunk, TextChunk, TextDeltaChunk, type AnyChunk } from '../../../../src-core/realtime/chunks.ts';
import { SentenceAggregatorStation } from '../../../../src-core/realtime/stations/sentenceAggregatorStation.ts';

const end = new EventChunk({ type: 'event.response.end', responseId: 'r' });

/** The sentences of a text that comes in such pieces. */
function sentences(pieces: string[]): string[] {
  const station = new SentenceAggregatorStation();
  const out: string[] = [];
  station.onChunk((chunk) => {
    if (chunk.type === 'text') out.push(chunk.data);
  });
  for (const data of pieces) void station.process(new TextDeltaChunk({ data, source: 'bot', responseId: 'r' }));
  void station.process(end);
  return out;
}

test.for([
  ['Hello there. How are you? Fine!', ['Hello there.', 'How are you?', 'Fine!']],
  ['今天天气不错。你好吗？很好！', ['今天天气不错。', '你好吗？', '很好！']],
  ['他说：“走吧。”然后走了；我没有……真的', ['他说：“走吧。”', '然后走了；', '我没有……', '真的']],
  ['It is 3.14 or example.com, v2.0.1. Next', ['It is 3.14 or example.com, v2.0.1.', 'Next']],
  ['Dr. Smith and J. Doe met Mr. X at 5 p.m. today.', ['Dr. Smith and J. Doe met Mr. X at 5 p.m. today.']],
  ['Use tools, e.g. a lamp. Or not.', ['Use tools, e.g. a lamp.', 'Or not.']],
  ['Well... maybe. So... Yes', ['Well... maybe.', 'So...', 'Yes']],
  ['"Stop." She left. "Why?" he asked.', ['"Stop."', 'She left.', '"Why?" he asked.']],
  ['What?! No way!!! OK', ['What?!', 'No way!!!', 'OK']],
  ['First line\nSecond line', ['First line', 'Second line']],
  ['1. Turn it on. 2. Wait.', ['1. Turn it on.', '2. Wait.']],
  ['OK!好的。Hello.你好', ['OK!', '好的。', 'Hello.', '你好']],
  ['So am I. You too?', ['So am I.', 'You too?']],
  ['  ', []],
] as const)('%s', ([text, expected]) => {
  expect(sentences([text])).toEqual(expected);
  // However it is cut into pieces, it comes to the same.
  expect(sentences([...text])).toEqual(expected);
});

test('a sentence goes out as soon as it has surely ended', () => {
  const station = new SentenceAggregatorStation();
  const out: AnyChunk[] = [];
  station.onChunk((chunk) => out.push(chunk));
  void station.process(new TextDeltaChunk({ data: 'One. T', source: 'bot', responseId: 'r' }));
  expect(out).toEqual([new TextChunk({ data: 'One.', source: 'bot', responseId: 'r' })]);
});

test('other chunks pass, an end behind its words, and a new response begins anew', () => {
  const station = new SentenceAggregatorStation();
  const out: AnyChunk[] = [];
  station.onChunk((chunk) => out.push(chunk));
  const vad = new EventChunk({ type: 'event.vad.start' });
  const user = new TextDeltaChunk({ data: 'me', source: 'user' });
  const text = (data: string, responseId: string) => new TextChunk({ data, source: 'bot', responseId });
  const delta = (data: string, responseId: string) => new TextDeltaChunk({ data, source: 'bot', responseId });
  for (const chunk of [delta('cut sho', 'r1'), vad, user, delta('Next', 'r2'), end]) void station.process(chunk);
  expect(out).toEqual([vad, user, text('cut sho', 'r1'), text('Next', 'r2'), end]);
});

test('no text is lost and none is longer than the limit, whatever comes', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('a', ' ', 'B', '.', ','), minLength: 300, maxLength: 900 }),
    fc.constantFrom('. ', '。', '...', '”', 'word ', '\n', 'x'.repeat(900)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const out = sentences(pieces);
      const bare = (text: string): string => text.replace(/\s/g, '');
      expect(bare(out.join(''))).toBe(bare(pieces.join('')));
      expect(out.every((text) => text.length <= 400 && text !== '')).toBe(true);
      // A long sentence that comes at once is cut where it is cut when it comes sign by sign.
      expect(sentences([pieces.join('')])).toEqual(out);
      expect(sentences([...pieces.join('')])).toEqual(out);
    }),
    { seed: 6, numRuns: 300 },
  );
});

test('a very long piece without an end is cut in linear time, at a pause where there is one', () => {
  expect(sentences(['word '.repeat(200)]).every((text) => text.length <= 400 && text.endsWith('word'))).toBe(true);
  expect(sentences(['x'.repeat(400_000)])).toHaveLength(1_000);
  expect(sentences([`${'x'.repeat(399)}😀`])[1]).toBe('😀');
});
