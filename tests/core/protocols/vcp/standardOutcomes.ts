import type { VcpDiagnosticCode } from '../../../../src-core/protocols/vcp/types.ts';

/** A call as dialect `standard` must read it. */
export interface ExpectedCall {
  toolName?: string;
  command?: string | undefined;
  args?: Record<string, string>;
  control?: Record<string, string>;
  requestId?: string;
  /** Commands and arguments of a serial block, in their order. */
  calls?: { command: string; args: Record<string, string> }[];
}

/** What spec/vcp.md asks of dialect `standard` for a row of the edge cases, and the rule it follows from. */
export interface StandardOutcome {
  calls: ExpectedCall[];
  codes?: VcpDiagnosticCode[];
  why: string;
}

/** The plain call of most rows: tool t, command c, no arguments. */
const plain: ExpectedCall = { toolName: 't', command: 'c', args: {} };
const withV = (v: string): ExpectedCall => ({ ...plain, args: { v } });
const runs = (why: string, call: ExpectedCall = plain): StandardOutcome => ({ calls: [call], why });
const refused = (why: string, ...codes: VcpDiagnosticCode[]): StandardOutcome => ({ calls: [], codes, why });

const serial = (args: Record<string, string>, calls: NonNullable<ExpectedCall['calls']>): ExpectedCall => ({
  toolName: 't',
  command: undefined,
  args,
  calls,
});

/** Written from the specification, row by row; not from what the parser gives. */
export const standardOutcomes: Record<string, StandardOutcome> = {
  minimal: runs('§1, a block of two fields'),
  'one-line': runs('§1, line breaks mean nothing'),
  'no-commas': runs('§1, the comma is optional'),
  'double-comma-trailing': runs('§1, more commas are skipped'),
  'fullwidth-comma-between': runs('§1, a full-width comma is skipped'),
  'fullwidth-colon': refused('§4, full-width colon', 'malformed-field'),
  'semicolon-between': runs('§1, semicolons are skipped'),
  'space-before-colon': runs('§1, ws* on both sides of the colon'),
  'newline-after-colon': runs('§1, ws* holds line breaks'),
  'space-inside-value': runs('§4, args trimmed, names too', withV('a b')),
  crlf: runs('§1, a carriage return is white space'),
  'empty-value': runs('§1, the text up to the first 「末」 may be empty', withV('')),
  'multi-line-value': runs('§1, a value may hold line breaks', withV('line1\nline2\n\nline4')),
  'duplicate-key-last-wins': { calls: [withV('2')], codes: ['duplicate-key'], why: '§4, last wins with a warning' },
  'dup-key-standard-then-ESCAPE': {
    calls: [withV('2')],
    codes: ['duplicate-key'],
    why: '§4, last wins, however it is fenced',
  },
  'tool_name-last': runs('§1, fields come in any order', withV('1')),
  'missing-tool_name': refused('§1, tool_name routes', 'missing-tool-name'),
  'missing-command': runs('§4, fine', { toolName: 't', command: undefined, args: { v: '1' } }),
  'empty-tool_name': refused('§4, tool_name trimmed is empty', 'missing-tool-name'),
  'empty-block': refused('no field in it', 'empty-block'),
  'empty-block-2': refused('no field in it', 'empty-block'),
  'case-Tool_Name': refused('§1, keys are exact', 'missing-tool-name'),
  'case-toolName': refused('§1, keys are exact', 'missing-tool-name'),
  'case-COMMAND': runs('§1, keys are exact: an argument', {
    toolName: 't',
    command: undefined,
    args: { COMMAND: 'c' },
  }),
  'hyphen-key': runs('§4, kept', { ...plain, args: { 'image-size': '1' } }),
  'dot-key': {
    calls: [{ ...plain, args: { b: '1' } }],
    codes: ['malformed-field'],
    why: '§1, the dot starts no field and both hosts read b: runs, but not without a word',
  },
  'cjk-key': refused('§4, CJK key', 'malformed-field'),
  'quoted-key': refused('§4, quoted keys, two of them', 'malformed-field', 'malformed-field'),
  'bold-key': refused('§4, bold keys, two of them', 'malformed-field', 'malformed-field'),
  'bullet-keys': runs('§1, bullets are skipped'),
  'digit-key-base64': runs('§3, no commandN: an ordinary key', { ...plain, args: { showbase64: 'true' } }),
  'digit-keys-image_url': runs('§3, no commandN: ordinary keys', {
    ...plain,
    args: { image_url_1: 'a', image_url_2: 'b' },
  }),
  'serial-2': runs(
    '§3, two calls, the field without a number is shared',
    serial({ command1: 'c1', path1: 'a', command2: 'c2', path2: 'b', shared: 's' }, [
      { command: 'c1', args: { path: 'a', shared: 's' } },
      { command: 'c2', args: { path: 'b', shared: 's' } },
    ]),
  ),
  'serial-10-order': runs(
    '§3, numeric order',
    serial({ command1: 'c1', command2: 'c2', command10: 'c10', command3: 'c3' }, [
      { command: 'c1', args: {} },
      { command: 'c2', args: {} },
      { command: 'c3', args: {} },
      { command: 'c10', args: {} },
    ]),
  ),
  'serial-gap': runs(
    '§3, gaps do not matter',
    serial({ command1: 'c1', command3: 'c3' }, [
      { command: 'c1', args: {} },
      { command: 'c3', args: {} },
    ]),
  ),
  'serial-from-0': runs(
    '§3, nought is a number',
    serial({ command0: 'c0', command1: 'c1' }, [
      { command: 'c0', args: {} },
      { command: 'c1', args: {} },
    ]),
  ),
  'slash-comment-after-field': runs('§1, comments are skipped'),
  'hash-comment-line': runs('§1, comments are skipped'),
  'comment-with-key-like': runs('§1, what starts a field is one, and both hosts agree', withV('x')),
  'prose-between-fields': runs('§1, prose is skipped'),
  'colon-then-garbage': runs('§1, a key without a fence starts no field', { ...plain, args: { w: '1' } }),
  'unclosed-last-value': refused('§4, END alone on its line inside a value', 'unclosed-value'),
  'unclosed-middle-value': refused('§4, ends before the next line that starts a field', 'unclosed-value'),
  'unclosed-block': refused('§4, no END', 'unclosed-block'),
  'unclosed-then-good': {
    calls: [{ toolName: 'u', command: 'd', args: {} }],
    codes: ['unclosed-block'],
    why: '§4, recovery at the next START',
  },
  'end-without-start': {
    calls: [plain],
    codes: ['bare-fields', 'stray-end'],
    why: '§4, bare fields; the END closes nothing; the good block runs',
  },
  'two-blocks': { calls: [plain, plain], codes: ['repeated-call'], why: '§4, the same call twice runs with a warning' },
  'adjacent-blocks': { calls: [plain, plain], codes: ['repeated-call'], why: '§1, nothing need stand between blocks' },
  'start-inside-value': runs('§1, a START in a value is text', withV('see <<<[TOOL_REQUEST]>>> here')),
  'end-inside-value': runs('§4, an END within a line is part of the value', withV('see <<<[END_TOOL_REQUEST]>>> here')),
  'value-has-start-mark': runs('§1, up to the first 「末」', withV('a「始」b')),
  'value-has-end-mark': {
    calls: [withV('a')],
    codes: ['malformed-field'],
    why: '§1, up to the first 「末」; a warning shows what was cut',
  },
  'ESCAPE-field': runs('§1, fences in an escaped value are text', withV('a「始」b「末」c')),
  'ESCAPE-lowercase': runs('§1, the word in any case', withV('a')),
  'ESCAPE-nested-block': runs(
    '§1, an END in an escaped value is none',
    withV('<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>'),
  ),
  'ESCAPE-literal-restore': runs(
    '§1, escaped markers and leftover fences turn back',
    withV('<<<[TOOL_REQUEST]>>> <<<[END_TOOL_REQUEST]>>> 「始」'),
  ),
  'ESCAPE-unclosed': refused('§4, only that field is affected, its call cannot run', 'unclosed-value'),
  'ESCAPE-unclosed-then-good': {
    calls: [{ toolName: 'u', command: 'd', args: {} }],
    codes: ['unclosed-value'],
    why: '§4, later blocks always parse',
  },
  'ESCAPE-mentioned-in-comment': runs('§4, nothing is affected'),
  'ESCAPE-start-std-end': refused('§1, 「末」 does not close an escaped value', 'unclosed-value'),
  'std-start-ESCAPE-end': refused('§1, 「末ESCAPE」 does not close a plain value', 'unclosed-value'),
  'exp-field': refused('§4, inert in all three fields', 'legacy-marker', 'legacy-marker', 'legacy-marker'),
  'block-ESCAPE-top-level': refused('§4, a call carried as data', 'escaped-block'),
  'block-EXP-top-level': refused('§4, retired', 'legacy-marker'),
  'brace-markers': refused('§4, {始}', 'malformed-field', 'malformed-field'),
  'double-angle': refused('§1, no marker', 'misspelt-marker'),
  'lowercase-marker': refused('§1, no marker', 'misspelt-marker'),
  'no-brackets-marker': refused('§1, no marker', 'misspelt-marker'),
  'missing-close-bracket': refused('§4, 「始「', 'malformed-field', 'malformed-field'),
  'book-quote-variant': refused('§4, 『始』', 'malformed-field', 'malformed-field'),
  'traditional-char': refused('§1, 「未」 closes nothing', 'unclosed-value'),
  'bare-no-markers': refused('§4, bare fields', 'bare-fields'),
  fenced: refused('§4, in a fence', 'fenced'),
  'fenced-lang': refused('§4, in a fence', 'fenced'),
  'tilde-fenced': refused('§4, ~~~ is a fence', 'fenced'),
  'inline-code': refused('§4, inline code', 'fenced'),
  'fence-unclosed-before': {
    calls: [plain],
    codes: ['unclosed-fence'],
    why: '§4, a fence that never closes hides nothing',
  },
  'fence-inside-value': runs('§1, a fence in a value is text', withV('```js\nx\n```')),
  'indented-4': runs('§1, indentation means nothing, and both hosts agree'),
  blockquote: runs('§1, quote signs are skipped, and both hosts agree'),
  'html-comment': runs('no rule sets comments aside, and both hosts agree'),
  'think-block': refused('§4, reasoning', 'in-reasoning'),
  'thinking-block': refused('§4, reasoning', 'in-reasoning'),
  'think-unclosed': refused('§4, unclosed: the rest is reasoning', 'unclosed-reasoning', 'in-reasoning'),
  'think-close-only': runs('a closing tag alone opens no reasoning'),
  'think-nested': refused('§4, the outer tag still stands', 'in-reasoning'),
  'think-attr': refused('§4, any case, blanks and attributes', 'in-reasoning'),
  'think-in-value': runs('§4, kept byte for byte', withV('a<think>b</think>c')),
  'think-unclosed-in-value': runs('§4, kept byte for byte', withV('a<think>b')),
  'thought-tag': refused('§4, <thought> is reasoning too', 'in-reasoning'),
  'archery-true': runs('§4, control field', { ...plain, control: { archery: 'true' } }),
  'archery-no_reply': runs('§4, control field', { ...plain, control: { archery: 'no_reply' } }),
  'archery-False': runs('§4, shown as written', { ...plain, control: { archery: 'True' } }),
  ink: runs('§4, control field', { ...plain, control: { ink: 'mark_history' } }),
  'river-vref': runs('§4, control fields', { ...plain, control: { river: 'last:5', vref: '3' } }),
  'valet-mirrors-maid': runs('§4, valet mirrors into maid', { ...plain, control: { valet: 'V', maid: 'V' } }),
  'valet-and-maid': runs('§4, only where maid is absent', { ...plain, control: { valet: 'V', maid: 'M' } }),
  request_id: runs('§1, the call’s id', { ...plain, requestId: 'abc' }),
  'proto-key': runs('§4, kept as plain data', {
    ...plain,
    args: JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>,
  }),
  'double-backslash': runs('§4, kept', withV('\\\\server\\share')),
  'quoted-json-value': runs('§4, kept', withV('"a\\\\b"')),
  'literal-backslash-n': { calls: [plain], codes: ['literal-newline'], why: '§4, a separator, with a warning' },
  bom: runs('§1, text before a block'),
  'nbsp-around-colon': runs('§1, a no-break space is white space'),
  'zero-width-in-key': refused('§1, no character of a key', 'malformed-field'),
  'surrogate-emoji': runs('values are kept to the code unit', withV('👩‍👩‍👧')),
  'nul-char': runs('values are kept to the code unit', withV('a\u0000b')),
  'result-block-echo': refused('§4, echoed result', 'echoed-result'),
  'truncated-stream-mid-marker': {
    ...runs('the good block runs, half a marker at the end is reported'),
    codes: ['unclosed-block'],
  },
  'truncated-mid-value': refused('§4, neither value nor block is closed', 'unclosed-block', 'unclosed-value'),
};
