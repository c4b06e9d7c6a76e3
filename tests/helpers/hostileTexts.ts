/** Units whose repetition is what the parsers take longest for, or find most in. */
const units: Record<string, string> = {
  'opened calls': '<<<[TOOL_REQUEST]>>>',
  'opening braces': '{',
  'opening brackets': '[',
  'code fences': '```\n',
  backticks: '`',
  'less-than signs': '<',
  'opened reasoning': '<think>',
  'VCP calls': '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_time「末」\n<<<[END_TOOL_REQUEST]>>>\n',
  'JSON calls': '<tool_call>{"name":"clock_get_time","arguments":{"a":"1"}}</tool_call>\n',
  'fields of one call': 'a:「始」1「末」,',
};

/** Texts of that many characters that a model might write to hold up its reader, by what they consist of. */
export function hostileTexts(length: number): [what: string, text: string][] {
  return Object.entries(units).map(([what, unit]) => {
    const start = what === 'fields of one call' ? '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_time「末」,' : '';
    const end = what === 'fields of one call' ? '\n<<<[END_TOOL_REQUEST]>>>' : '';
    return [what, start + numbered(unit, Math.floor((length - start.length - end.length) / unit.length)) + end];
  });
}

/** Fields have names of their own. */
function numbered(unit: string, times: number): string {
  if (!unit.startsWith('a:')) return unit.repeat(times);
  const count = Math.floor((unit.length * times) / (unit.length + 5));
  return Array.from({ length: count }, (_, at) => unit.replace('a', `a${at}`)).join('');
}
