/**
 * What people see as an emoji. `\p{Emoji}` would match digits. Signs that are text unless U+FE0F follows (©, ™, →) stay
 * as long as it does not.
 */
const textByDefault = String.raw`\u00A9\u00AE\u2000-\u22FF\u24C2\u3030\u303D\u3297\u3299`;
const pictograph = String.raw`(?:[\p{Extended_Pictographic}--[${textByDefault}]]|[${textByDefault}]\uFE0F)`;
const tone = String.raw`[\uFE0E\uFE0F\u{1F3FB}-\u{1F3FF}]`;
/** Subdivision flags: a black flag, then letters that nobody sees. */
const tags = String.raw`[\u{E0020}-\u{E007F}]`;
const sequence = String.raw`${pictograph}${tone}*${tags}*(?:\u200D${pictograph}${tone}*)*`;
const keycap = String.raw`[0-9#*]\uFE0F?\u20E3`;
const decoration = '[★☆◆◇●■□]';
const one = String.raw`(?:${decoration}\uFE0F?|${sequence}|${keycap}|\p{Regional_Indicator}|[\u{1F3FB}-\u{1F3FF}])`;
const run = new RegExp(String.raw`(?<![ \t])([ \t]*)(?:${one}[ \t]*)+`, 'gv');

/**
 * Text without pictographs (with their joiners, selectors and skin tones), flags, keycaps and ★☆◆◇●■□
 * (docs/protocols/gateway.md#replies, docs/protocols/gateway.md#replies). Words that stood apart still do.
 */
export function stripPictographs(text: string): string {
  return text.replace(run, (match, before: string) => (before !== '' || /[ \t]$/.test(match.slice(-1)) ? ' ' : ''));
}
