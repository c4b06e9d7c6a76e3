import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainAnswer, fitsAnswer } from '../../../../src-core/features/vision/explainAnswer.ts';

test("answers and failures have the form of the boards' servers", () => {
  expect(explainAnswer({ success: true, text: '一只猫' })).toEqual({
    success: true,
    action: 'RESPONSE',
    response: '一只猫',
  });
  expect(explainAnswer({ success: false, text: 'No picture.' })).toEqual({
    success: false,
    action: 'ERROR',
    message: 'No picture.',
  });
});

test.each([
  ['letters', 'x'],
  ['Chinese', '字'],
  ['emoji', '\u{1f600}'],
  ['quotes, which are escaped', '"\\\n'],
  ['half a pair', '\ud83d'],
])('an answer of 20,000 %s is cut below 7,000 bytes, and not far below', (_what, piece) => {
  for (const success of [true, false]) {
    const answer = explainAnswer({ success, text: piece.repeat(20_000) });
    const bytes = Buffer.byteLength(JSON.stringify(answer));
    expect(bytes).toBeLessThan(7_000);
    expect(bytes).toBeGreaterThan(6_950);
    expect(String(answer['response'] ?? answer['message'])).toMatch(/…$/);
  }
});

test('any text fits, or is cut so that it does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 9_000 }), (text) => {
      const answer = explainAnswer({ success: true, text });
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(7_000);
      expect(answer['response'] === text).toBe(fitsAnswer(text));
    }),
  );
});
