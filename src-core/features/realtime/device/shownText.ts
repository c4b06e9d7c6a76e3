import type { VoiceMessage } from '../../devices/voice/voiceMessage.ts';

/** Characters; a board has little memory, and less of a display. */
const maxCharacters = 1_000;

/** A text for a board's display: cut, and never in the middle of a character, which its JSON parser refuses. */
export function shownText(text: string): string {
  return text.slice(0, maxCharacters).toWellFormed();
}

/** Tells a device what went wrong. */
export function alertMessage(problem: string): VoiceMessage {
  return { type: 'alert', status: 'ERROR', message: shownText(problem), emotion: 'sad' };
}
