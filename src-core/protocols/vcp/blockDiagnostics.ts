import { error, insertAt, replaceRange, warning } from '../diagnostics.ts';
import { controlForms } from './control.ts';
import { excerpt } from './fieldDiagnostics.ts';
import { fences, markers } from './markers.ts';
import { maximumSerialCalls } from './serial.ts';
import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import type { VcpDiagnostic, VcpField } from './types.ts';

/** A START that the text, or another START, leaves without END. */
export function unclosedBlockDiagnostic(block: {
  start: number;
  bodyStart: number;
  fields: VcpField[];
}): VcpDiagnostic {
  const { start, bodyStart, fields } = block;
  const last = fields.at(-1);
  if (last === undefined) {
    const message = `${markers.start} has neither fields nor an end: nothing is run.`;
    return warning('unclosed-block', { start, end: bodyStart }, message);
  }
  return error(
    'unclosed-block',
    { start, end: last.end },
    `This block has no ${markers.end} before the next one starts or the text ends: it is not run.`,
    { title: 'Add the end marker', edits: [insertAt(last.end, `\n${markers.end}`)] },
  );
}

/** A START that the end of the text cuts off. */
export function cutMarkerDiagnostic(range: TextRange): VcpDiagnostic {
  const message = `The text ends within ${markers.start}, so the reply was probably cut off: nothing of this block is run.`;
  return warning('unclosed-block', range, message);
}

/** A block with nothing in it. */
export function emptyBlockDiagnostic(range: TextRange): VcpDiagnostic {
  return warning('empty-block', range, 'This block holds no field: there is nothing to run.');
}

/** No `tool_name`, or an empty one. */
export function missingToolNameDiagnostic(range: TextRange, fields: readonly VcpField[]): VcpDiagnostic {
  const near = fields.find(({ key }) => key.toLowerCase().replaceAll(/[_-]/g, '') === 'toolname');
  if (near === undefined) return error('missing-tool-name', range, 'The block has no tool_name, so it is not run.');
  if (near.key === 'tool_name') {
    const message = 'tool_name is empty, so the block is not run: it must name a registered tool.';
    return error('missing-tool-name', near.keyRange, message);
  }
  return error(
    'missing-tool-name',
    near.keyRange,
    `The block has no tool_name, so it is not run. “${near.key}” is not the same: keys count upper and lower case.`,
    { title: 'Write it as tool_name', edits: [replaceRange(near.keyRange, 'tool_name')] },
  );
}

/** A value with fences of its own, right or wrong, and the path of a URL. */
const looksFenced = /[「『{【〖《"'[<(][始末]|末[」』}]|^\/\//;
const unfencedForm = /^[\s,，;；]*([\w-]+)[ \t]*:(.*)$/;
const codeOrTag = /```|~~~|<\/?[a-z]/i;
const separators = ' \t\r,，;；';

/** Fields but for the fences of their values, between the fields of a block; `isRest`: there is other text, too. */
function unfencedIn(body: string, offset: number, fields: readonly VcpField[]) {
  const found: (TextRange & { key: string; edit: TextEdit })[] = [];
  let isRest = false;
  let from = offset;
  for (const { start: to, end } of [...fields, { start: offset + body.length, end: 0 }]) {
    // Most gaps are a comma and a line break.
    const gap = to - from > 2 ? body.slice(from - offset, to - offset) : '';
    const isCode = codeOrTag.test(gap);
    let lineEnd = from - 1;
    for (const line of gap.split('\n')) {
      lineEnd += line.length + 1;
      let end = line.length;
      while (end > 0 && separators.includes(line.charAt(end - 1))) end--;
      const [, key = '', written = ''] = unfencedForm.exec(line.slice(0, end)) ?? [];
      const value = written.trimStart();
      const valueEnd = lineEnd - line.length + end;
      const range = { start: valueEnd - value.length, end: valueEnd };
      // Quotation marks stand for the fences; a fenced value would keep them.
      const bare = value.replace(/^"([^"]*)"$|^“([^“”]*)”$/, '$1$2');
      if (value === '' || looksFenced.test(value) || isCode) isRest ||= end > 0;
      else found.push({ key, ...range, edit: replaceRange(range, `${fences.open}${bare}${fences.close}`) });
    }
    from = end;
  }
  return { found, isRest };
}

/**
 * Lines of a block without a tool name that are fields but for the fences of their values; undefined if it has none. The fix is
 * certain if one of them names the tool and no line is left that a value may go on in. `offset`: where `body` begins.
 */
export function unfencedDiagnostic(body: string, offset: number, fields: VcpField[] = []): VcpDiagnostic | undefined {
  const { found, isRest } = unfencedIn(body, offset, fields);
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const message = `The value of “${first.key}” is not between ${fences.open} and ${fences.close}, so the block is not run.`;
  const fix =
    !isRest && found.some(({ key }) => key === 'tool_name')
      ? { title: `Put the values between ${fences.open} and ${fences.close}`, edits: found.map(({ edit }) => edit) }
      : undefined;
  return error('malformed-field', { start: first.start, end: last.end }, message, fix);
}

/** Such fields in a block that runs: it runs without them. */
export function ignoredFieldDiagnostics(body: string, offset: number, fields: readonly VcpField[]): VcpDiagnostic[] {
  return unfencedIn(body, offset, fields).found.map(({ key, start, end, edit }) => {
    const message = `The value of “${key}” is not between ${fences.open} and ${fences.close}, so it is ignored.`;
    const fix = { title: `Put the value between ${fences.open} and ${fences.close}`, edits: [edit] };
    return warning('malformed-field', { start, end }, message, fix);
  });
}

/** Text on the line of a value, after its closing fence, except for fields, comments and what is reported otherwise. */
export function leftoverDiagnostics(body: string, offset: number, fields: readonly VcpField[]): VcpDiagnostic[] {
  return fields.flatMap(({ key, end }, index) => {
    const next = fields[index + 1]?.start ?? offset + body.length;
    if (next - end <= 2) return [];
    const [line = ''] = body.slice(end - offset, next - offset).split(/\n|\\n/, 1);
    const isReported = unfencedForm.test(line) || codeOrTag.test(line) || /<<|\[\[|「末」|^[\s,，;；]*\/\//.test(line);
    const first = line.search(/[\p{L}\p{N}]/u);
    if (isReported || first < 0) return [];
    const message = `“${excerpt(line.slice(first))}” after the value of “${key}” belongs to no field, so it is ignored.`;
    return [warning('malformed-field', { start: end + first, end: end + line.trimEnd().length }, message)];
  });
}

/** A value that a control field does not take. */
export function controlValueDiagnostic(range: TextRange, key: string, value: string): VcpDiagnostic | undefined {
  const form = controlForms.get(key);
  if (form === undefined || form.test.test(value)) return undefined;
  const message = `The control field “${key}” takes ${form.values}, not “${value.slice(0, 60).toWellFormed()}”.`;
  return warning('control-value', range, message);
}

/** A series of calls that is too long. */
export function tooManyCallsDiagnostic(range: TextRange): VcpDiagnostic {
  const message = `The block holds more than ${maximumSerialCalls} numbered calls, so none of them is run: split it into several blocks.`;
  return error('malformed-field', range, message);
}

/** `\n` as two characters between fields. */
export function literalNewlineDiagnostic(offsets: readonly number[]): VcpDiagnostic {
  const first = offsets[0] ?? 0;
  return warning(
    'literal-newline',
    { start: first, end: (offsets.at(-1) ?? first) + 2 },
    'The two characters \\n are read as a line break.',
    {
      title: 'Make them line breaks',
      edits: offsets.map((offset) => replaceRange({ start: offset, end: offset + 2 }, '\n')),
    },
  );
}
