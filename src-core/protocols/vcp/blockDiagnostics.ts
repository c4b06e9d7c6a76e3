import { markers } from './markers.ts';
import { maximumSerialCalls } from './serial.ts';
import { insertAt, replaceRange } from './textEdits.ts';
import type { TextRange } from '../../base/replyTypes.ts';
import type { VcpDiagnostic, VcpField } from './types.ts';

/** A START that the text, or another START, leaves without END. */
export function unclosedBlockDiagnostic(block: {
  start: number;
  bodyStart: number;
  fields: VcpField[];
}): VcpDiagnostic {
  const last = block.fields.at(-1);
  return {
    code: 'unclosed-block',
    severity: last === undefined ? 'warning' : 'error',
    start: block.start,
    end: last?.end ?? block.bodyStart,
    message:
      last === undefined
        ? `${markers.start} has neither fields nor an end: nothing is run.`
        : `This block has no ${markers.end} before the next one starts or the text ends: it is not run.`,
    ...(last !== undefined && {
      fix: { title: 'Add the end marker', edits: [insertAt(last.end, `\n${markers.end}`)] },
    }),
  };
}

/** A START that the end of the text cuts off. */
export function cutMarkerDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'unclosed-block',
    severity: 'warning',
    start,
    end,
    message: `The text ends within ${markers.start}, so the reply was probably cut off: nothing of this block is run.`,
  };
}

/** A block with nothing in it. */
export function emptyBlockDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'empty-block',
    severity: 'warning',
    start,
    end,
    message: 'This block holds no field: there is nothing to run.',
  };
}

/** No `tool_name`, or an empty one. */
export function missingToolNameDiagnostic(range: TextRange, fields: readonly VcpField[]): VcpDiagnostic {
  const near = fields.find(({ key }) => key.toLowerCase().replaceAll(/[_-]/g, '') === 'toolname');
  const base = { code: 'missing-tool-name', severity: 'error', ...range } as const;
  if (near?.key === 'tool_name')
    return {
      ...base,
      ...near.keyRange,
      message: 'tool_name is empty, so the block is not run: it must name a registered tool.',
    };
  if (near !== undefined) {
    return {
      ...base,
      ...near.keyRange,
      message: `The block has no tool_name, so it is not run. “${near.key}” is not the same: keys count upper and lower case.`,
      fix: { title: 'Write it as tool_name', edits: [replaceRange(near.keyRange, 'tool_name')] },
    };
  }
  return { ...base, message: 'The block has no tool_name, so it is not run.' };
}

/** A series of calls that is too long. */
export function tooManyCallsDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'malformed-field',
    severity: 'error',
    start,
    end,
    message: `The block holds more than ${maximumSerialCalls} numbered calls, so none of them is run: split it into several blocks.`,
  };
}

/** `\n` as two characters between fields. */
export function literalNewlineDiagnostic(offsets: readonly number[]): VcpDiagnostic {
  const first = offsets[0] ?? 0;
  return {
    code: 'literal-newline',
    severity: 'warning',
    start: first,
    end: (offsets.at(-1) ?? first) + 2,
    message: 'The two characters \\n stand where a line break was meant: they are read as one.',
    fix: {
      title: 'Make them line breaks',
      edits: offsets.map((offset) => replaceRange({ start: offset, end: offset + 2 }, '\n')),
    },
  };
}

/** The same call as an earlier one. */
export function repeatedCallDiagnostic({ start, end }: TextRange, toolName: string): VcpDiagnostic {
  return {
    code: 'repeated-call',
    severity: 'warning',
    start,
    end,
    message: `${toolName} is called with the same arguments more than once: it runs each time.`,
  };
}
