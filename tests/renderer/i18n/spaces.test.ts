import { expect, it } from 'vitest';

import { engineTexts } from '../../../renderer/i18n/engine/zh/index.ts';
import { zh } from '../../../renderer/i18n/zh/index.ts';

const textsOf = (node: unknown): string[] =>
  typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsOf) : [String(node)];
const han = String.raw`\p{Script=Han}`;

it('stand between Chinese and Latin letters or digits, and not beside Chinese punctuation', () => {
  // The forms of a plural are apart, and what is in the markers of VCP is written as it is there.
  const texts = [...textsOf(zh), ...textsOf(engineTexts)].flatMap((text) =>
    text.replaceAll(/「[^」]*」/g, '').split(' | '),
  );
  const wrong = new RegExp(`${han}[\\w\`]|[\\w%\`]${han}|${han}[,;:?!()]| [，。：；？！、）]|[，。：；？！（、] `, 'u');
  expect(texts.filter((text) => wrong.test(text))).toEqual([]);
});
