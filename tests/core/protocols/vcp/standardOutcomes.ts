import type { VcpDiagnosticCode } from '../../../../src-core/base/replyTypes.ts';

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

/** What docs/protocols/vcp.md asks of dialect `standard` for a row of the edge cases, and the rule it follows from. */
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
  minimal: runs('grammar: a block of two fields'),
  'one-line': runs('grammar: line breaks mean nothing'),
  'no-commas': runs('grammar: the comma is optional'),
  'double-comma-trailing': runs('grammar: more commas are skipped'),
  'fullwidth-comma-between': runs('grammar: a full-width comma is skipped'),
  'fullwidth-colon': refused('dialects: full-width colon', 'malformed-field'),
  'semicolon-between': runs('grammar: semicolons are skipped'),
  'space-before-colon': runs('grammar: ws* on both sides of the colon'),
  'newline-after-colon': runs('grammar: ws* holds line breaks'),
  'space-inside-value': runs('dialects: args trimmed, names too', withV('a b')),
  crlf: runs('grammar: a carriage return is white space'),
  'empty-value': runs('grammar: the text up to the first 「末」 may be empty', withV('')),
  'multi-line-value': runs('grammar: a value may hold line breaks', withV('line1\nline2\n\nline4')),
  'duplicate-key-last-wins': {
    calls: [withV('2')],
    codes: ['duplicate-key'],
    why: 'dialects: last wins with a warning',
  },
  'dup-key-standard-then-ESCAPE': {
    calls: [withV('2')],
    codes: ['duplicate-key'],
    why: 'dialects: last wins, however it is fenced',
  },
  'tool_name-last': runs('grammar: fields come in any order', withV('1')),
  'missing-tool_name': refused('grammar: tool_name routes', 'missing-tool-name'),
  'missing-command': runs('dialects: fine', { toolName: 't', command: undefined, args: { v: '1' } }),
  'empty-tool_name': refused('dialects: tool_name trimmed is empty', 'missing-tool-name'),
  'empty-block': refused('no field in it', 'empty-block'),
  'empty-block-2': refused('no field in it', 'empty-block'),
  'case-Tool_Name': refused('grammar: keys are exact', 'missing-tool-name'),
  'case-toolName': refused('grammar: keys are exact', 'missing-tool-name'),
  'case-COMMAND': runs('grammar: keys are exact: an argument', {
    toolName: 't',
    command: undefined,
    args: { COMMAND: 'c' },
  }),
  'hyphen-key': runs('dialects: kept', { ...plain, args: { 'image-size': '1' } }),
  'dot-key': {
    calls: [{ ...plain, args: { b: '1' } }],
    codes: ['malformed-field'],
    why: 'grammar: the dot starts no field and both hosts read b: runs, but not without a word',
  },
  'cjk-key': refused('dialects: CJK key', 'malformed-field'),
  'quoted-key': refused('dialects: quoted keys, two of them', 'malformed-field', 'malformed-field'),
  'bold-key': refused('dialects: bold keys, two of them', 'malformed-field', 'malformed-field'),
  'bullet-keys': runs('grammar: bullets are skipped'),
  'digit-key-base64': runs('serial calls: no commandN: an ordinary key', { ...plain, args: { showbase64: 'true' } }),
  'digit-keys-image_url': runs('serial calls: no commandN: ordinary keys', {
    ...plain,
    args: { image_url_1: 'a', image_url_2: 'b' },
  }),
  'serial-2': runs(
    'serial calls: two calls, the field without a number is shared',
    serial({ command1: 'c1', path1: 'a', command2: 'c2', path2: 'b', shared: 's' }, [
      { command: 'c1', args: { path: 'a', shared: 's' } },
      { command: 'c2', args: { path: 'b', shared: 's' } },
    ]),
  ),
  'serial-10-order': runs(
    'serial calls: numeric order',
    serial({ command1: 'c1', command2: 'c2', command10: 'c10', command3: 'c3' }, [
      { command: 'c1', args: {} },
      { command: 'c2', args: {} },
      { command: 'c3', args: {} },
      { command: 'c10', args: {} },
    ]),
  ),
  'serial-gap': runs(
    'serial calls: gaps do not matter',
    serial({ command1: 'c1', command3: 'c3' }, [
      { command: 'c1', args: {} },
      { command: 'c3', args: {} },
    ]),
  ),
  'serial-from-0': runs(
    'serial calls: nought is a number',
    serial({ command0: 'c0', command1: 'c1' }, [
      { command: 'c0', args: {} },
      { command: 'c1', args: {} },
    ]),
  ),
  'slash-comment-after-field': runs('grammar: comments are skipped'),
  'hash-comment-line': runs('grammar: comments are skipped'),
  'comment-with-key-like': runs('grammar: what starts a field is one, and both hosts agree', withV('x')),
  'prose-between-fields': runs('grammar: prose is skipped'),
  'colon-then-garbage': {
    ...runs('grammar: a key without a fence starts no field', { ...plain, args: { w: '1' } }),
    codes: ['malformed-field'],
  },
  'unclosed-last-value': refused('dialects: END alone on its line inside a value', 'unclosed-value'),
  'unclosed-middle-value': refused('dialects: ends before the next line that starts a field', 'unclosed-value'),
  'unclosed-block': refused('dialects: no END', 'unclosed-block'),
  'unclosed-then-good': {
    calls: [{ toolName: 'u', command: 'd', args: {} }],
    codes: ['unclosed-block'],
    why: 'dialects: recovery at the next START',
  },
  'end-without-start': {
    calls: [plain],
    codes: ['bare-fields', 'stray-end'],
    why: 'dialects: bare fields; the END closes nothing; the good block runs',
  },
  'two-blocks': {
    calls: [plain, plain],
    codes: ['repeated-call'],
    why: 'dialects: the same call twice runs with a warning',
  },
  'adjacent-blocks': {
    calls: [plain, plain],
    codes: ['repeated-call'],
    why: 'grammar: nothing need stand between blocks',
  },
  'start-inside-value': runs('grammar: a START in a value is text', withV('see <<<[TOOL_REQUEST]>>> here')),
  'end-inside-value': runs(
    'dialects: an END within a line is part of the value',
    withV('see <<<[END_TOOL_REQUEST]>>> here'),
  ),
  'value-has-start-mark': runs('grammar: up to the first 「末」', withV('a「始」b')),
  'value-has-end-mark': {
    calls: [withV('a')],
    codes: ['malformed-field'],
    why: 'grammar: up to the first 「末」; a warning shows what was cut',
  },
  'ESCAPE-field': runs('grammar: fences in an escaped value are text', withV('a「始」b「末」c')),
  'ESCAPE-lowercase': runs('grammar: the word in any case', withV('a')),
  'ESCAPE-nested-block': runs(
    'grammar: an END in an escaped value is none',
    withV('<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>'),
  ),
  'ESCAPE-literal-restore': runs(
    'grammar: escaped markers and leftover fences turn back',
    withV('<<<[TOOL_REQUEST]>>> <<<[END_TOOL_REQUEST]>>> 「始」'),
  ),
  'ESCAPE-unclosed': refused('dialects: only that field is affected, its call cannot run', 'unclosed-value'),
  'ESCAPE-unclosed-then-good': {
    calls: [{ toolName: 'u', command: 'd', args: {} }],
    codes: ['unclosed-value'],
    why: 'dialects: later blocks always parse',
  },
  'ESCAPE-mentioned-in-comment': runs('dialects: nothing is affected'),
  'ESCAPE-start-std-end': refused('grammar: 「末」 does not close an escaped value', 'unclosed-value'),
  'std-start-ESCAPE-end': refused('grammar: 「末ESCAPE」 does not close a plain value', 'unclosed-value'),
  'exp-field': refused('dialects: inert in all three fields', 'legacy-marker', 'legacy-marker', 'legacy-marker'),
  'block-ESCAPE-top-level': refused('dialects: a call carried as data', 'escaped-block'),
  'block-EXP-top-level': refused('dialects: retired', 'legacy-marker'),
  'brace-markers': refused('dialects: {始}', 'malformed-field', 'malformed-field'),
  'double-angle': refused('grammar: no marker', 'misspelt-marker'),
  'lowercase-marker': refused('grammar: no marker', 'misspelt-marker'),
  'no-brackets-marker': refused('grammar: no marker', 'misspelt-marker'),
  'missing-close-bracket': refused('dialects: 「始「', 'malformed-field', 'malformed-field'),
  'book-quote-variant': refused('dialects: 『始』', 'malformed-field', 'malformed-field'),
  'traditional-char': refused('grammar: 「未」 closes nothing', 'unclosed-value'),
  'bare-no-markers': refused('dialects: bare fields', 'bare-fields'),
  fenced: refused('dialects: in a fence', 'fenced'),
  'fenced-lang': refused('dialects: in a fence', 'fenced'),
  'tilde-fenced': refused('dialects: ~~~ is a fence', 'fenced'),
  'inline-code': refused('dialects: inline code', 'fenced'),
  'fence-unclosed-before': {
    calls: [plain],
    codes: ['unclosed-fence'],
    why: 'dialects: a fence that never closes hides nothing',
  },
  'fence-inside-value': runs('grammar: a fence in a value is text', withV('```js\nx\n```')),
  'indented-4': runs('grammar: indentation means nothing, and both hosts agree'),
  blockquote: runs('grammar: quote signs are skipped, and both hosts agree'),
  'html-comment': runs('no rule sets comments aside, and both hosts agree'),
  'think-block': refused('dialects: reasoning', 'in-reasoning'),
  'thinking-block': refused('dialects: reasoning', 'in-reasoning'),
  'think-unclosed': refused('dialects: unclosed: the rest is reasoning', 'unclosed-reasoning', 'in-reasoning'),
  'think-close-only': runs('a closing tag alone opens no reasoning'),
  'think-nested': refused('dialects: the outer tag still stands', 'in-reasoning'),
  'think-attr': refused('dialects: any case, blanks and attributes', 'in-reasoning'),
  'think-in-value': runs('dialects: kept byte for byte', withV('a<think>b</think>c')),
  'think-unclosed-in-value': runs('dialects: kept byte for byte', withV('a<think>b')),
  'thought-tag': refused('dialects: <thought> is reasoning too', 'in-reasoning'),
  'archery-true': runs('dialects: control field', { ...plain, control: { archery: 'true' } }),
  'archery-no_reply': runs('dialects: control field', { ...plain, control: { archery: 'no_reply' } }),
  'archery-False': {
    calls: [{ ...plain, control: { archery: 'True' } }],
    codes: ['control-value'],
    why: 'dialects: shown as written, with a warning',
  },
  ink: runs('dialects: control field', { ...plain, control: { ink: 'mark_history' } }),
  'river-vref': runs('dialects: control fields', { ...plain, control: { river: 'last:5', vref: '3' } }),
  'valet-mirrors-maid': runs('dialects: valet mirrors into maid', { ...plain, control: { valet: 'V', maid: 'V' } }),
  'valet-and-maid': runs('dialects: only where maid is absent', { ...plain, control: { valet: 'V', maid: 'M' } }),
  request_id: runs('grammar: the call’s id', { ...plain, requestId: 'abc' }),
  'proto-key': runs('dialects: kept as plain data', {
    ...plain,
    args: JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>,
  }),
  'double-backslash': runs('dialects: kept', withV('\\\\server\\share')),
  'quoted-json-value': runs('dialects: kept', withV('"a\\\\b"')),
  'literal-backslash-n': { calls: [plain], codes: ['literal-newline'], why: 'dialects: a separator, with a warning' },
  bom: runs('grammar: text before a block'),
  'nbsp-around-colon': runs('grammar: a no-break space is white space'),
  'zero-width-in-key': refused('grammar: no character of a key', 'malformed-field'),
  'surrogate-emoji': runs('values are kept to the code unit', withV('👩‍👩‍👧')),
  'nul-char': runs('values are kept to the code unit', withV('a\u0000b')),
  'result-block-echo': refused('dialects: echoed result', 'echoed-result'),
  'truncated-stream-mid-marker': {
    ...runs('the good block runs, half a marker at the end is reported'),
    codes: ['unclosed-block'],
  },
  'truncated-mid-value': refused('dialects: neither value nor block is closed', 'unclosed-block', 'unclosed-value'),
};
