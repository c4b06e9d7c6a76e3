import { realtimeLimits } from '../limits.ts';

const sound = /"audio"\s*:\s*"((?:[A-Za-z0-9+/=]|\\\/)+)"/g;
const soundDelta = /"delta"\s*:\s*"((?:[A-Za-z0-9+/=]|\\\/)+)"/g;

/**
 * An event as it is noted: sound in it cut to its length (`"audio":"<4800 bytes>"`), and the whole to 64 KiB. Works on the
 * text, so that it is shown as it went and no depth of nesting matters.
 */
export function noteText(type: string, text: string): string {
  const cut = text.replace(sound, (_, data: string) => `"audio":"${lengthOf(data)}"`);
  const short = /audio\.delta$/.test(type)
    ? cut.replace(soundDelta, (_, data: string) => `"delta":"${lengthOf(data)}"`)
    : cut;
  if (short.length <= realtimeLimits.notedCharacters) return short;
  const rest = short.length - realtimeLimits.notedCharacters;
  return `${short.slice(0, realtimeLimits.notedCharacters - 40)} … ${rest + 40} more characters`;
}

function lengthOf(base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return `<${Math.floor((base64.length * 3) / 4) - padding} bytes>`;
}
