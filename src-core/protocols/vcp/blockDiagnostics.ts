import { error, insertAt, replaceRange, warning } from '../diagnostics.ts';
import { controlForms } from './control.ts';
import { fences, markers } from './markers.ts';
import { maximumSerialCalls } from './serial.ts';
import type { TextRange } from '../../base/replyTypes.ts';
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

const looksFenced = /[「『{【〖《"'[<(][始末]/;

/**
 * Lines of a block without a tool name that are fields but for the fences of their values; undefined if it has none. The fix is
 * certain if one of them names the tool and no line is left that a value may go on in. `offset`: where `body` begins.
 */
export function unfencedDiagnostic(body: string, offset: number, fields: VcpField[] = []): VcpDiagnostic | undefined {
  const found: (TextRange & { key: string })[] = [];
  let lineStart = offset;
  let next = 0;
  let isCertain = true;
  for (const line of body.split('\n')) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    const start = lineStart + colon + 1 + line.slice(colon + 1).indexOf(value);
    const length = /[,，]$/.test(value) ? value.slice(0, -1).trimEnd().length : value.length;
    while ((fields[next]?.end ?? Infinity) <= lineStart) next++;
    const isInField = (fields[next]?.start ?? Infinity) < lineStart + line.length;
    if (length > 0 && !isInField && /^[\w-]+$/.test(key) && !looksFenced.test(value))
      found.push({ key, start, end: start + length });
    else isCertain &&= isInField || line.trim() === '';
    lineStart += line.length + 1;
  }
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const message = `The value of “${first.key}” is not between ${fences.open} and ${fences.close}, so the block is not run.`;
  const edits = found.flatMap(({ start, end }) => [insertAt(start, fences.open), insertAt(end, fences.close)]);
  const fix =
    isCertain && found.some(({ key }) => key === 'tool_name')
      ? { title: `Put the values between ${fences.open} and ${fences.close}`, edits }
      : undefined;
  return error('malformed-field', { start: first.start, end: last.end }, message, fix);
}

/** A value that a control field does not take. */
export function controlValueDiagnostic(range: TextRange, key: string, value: string): VcpDiagnostic | undefined {
  const form = controlForms.get(key);
  if (form === undefined || form.test.test(value)) return undefined;
  const message = `The control field “${key}” takes ${form.values}, not “${value.slice(0, 60).toWellFormed()}”. It controls the host and is not sent to the tool.`;
  return warning('malformed-field', range, message);
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
