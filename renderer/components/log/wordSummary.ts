import { createWording } from '../../i18n/engine/createWording.ts';
import { frameTexts } from '../../i18n/engine/zh/frames.ts';
import { language } from '../../i18n/index.ts';

const word = createWording(frameTexts);

/** What a frame is, in the window's language: the engine's own sentences are worded, names and a device's words stay. */
export function wordSummary(summary: string): string {
  return language.value === 'en' ? summary : word(summary);
}
