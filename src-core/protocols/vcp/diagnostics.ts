import { fences, markers } from './markers.ts';
import { maximumSerialCalls } from './serial.ts';
import type { TextEdit, TextRange, VcpDiagnostic, VcpField } from './types.ts';

const at = (offset: number, newText: string): TextEdit => ({ start: offset, end: offset, newText });
const replace = ({ start, end }: TextRange, newText: string): TextEdit => ({ start, end, newText });
const remove = ({ start, end }: TextRange): TextEdit => ({ start, end, newText: '' });

/** As much of a text as a message can show. */
export function excerpt(text: string, length = 60): string {
  const line = text.trim().replaceAll('\r', '').replaceAll('\n', '⏎');
  return line.length <= length ? line : `${line.slice(0, length).toWellFormed().replaceAll('\ufffd', '')}…`;
}

/** A block in a fence or in inline code. */
export function fencedDiagnostic(
  { start, end }: TextRange,
  code: { open: { start: number; openEnd: number }; closeStart: number; end: number; inline: boolean },
): VcpDiagnostic {
  const place = code.inline ? 'inline code' : 'a code fence';
  return {
    code: 'fenced',
    severity: 'warning',
    start,
    end: Math.min(end, code.closeStart),
    message: `This call stands in ${place}, so it is shown, not run.`,
    fix: {
      title: `Take the call out of ${place}`,
      edits: [
        remove({ start: code.open.start, end: code.inline ? code.open.openEnd : Math.min(start, code.closeStart) }),
        remove({ start: code.closeStart, end: code.end }),
      ],
    },
  };
}

/** A block inside reasoning. */
export function inReasoningDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'in-reasoning',
    severity: 'warning',
    start,
    end,
    message: 'This call stands in the model’s reasoning, so it is not run.',
  };
}

/** A block inside an echoed result. */
export function echoedDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'echoed-result',
    severity: 'warning',
    start,
    end,
    message: 'This call stands in a result that the model repeats, so it is not run: a result is data.',
  };
}

/** An echoed result that has no end. */
export function unclosedEchoDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'echoed-result',
    severity: 'warning',
    start,
    end,
    message: 'This result block never ends: the rest of the text counts as its content, and no call in it is run.',
  };
}

/** A reasoning tag that has no end. The fix closes it at `closeAt`: before the first call in it, if it has one. */
export function unclosedReasoningDiagnostic({ start, end }: TextRange, name: string, closeAt: number): VcpDiagnostic {
  return {
    code: 'unclosed-reasoning',
    severity: 'warning',
    start,
    end,
    message: `<${name}> is never closed: the rest of the text is reasoning, and no call in it is run.`,
    fix: { title: `Close it here with </${name}>`, edits: [at(closeAt, `</${name}>`)] },
  };
}

/** A fence that never closes. */
export function unclosedFenceDiagnostic({ start, end }: TextRange, textEnd: number, delimiter: string): VcpDiagnostic {
  return {
    code: 'unclosed-fence',
    severity: 'warning',
    start,
    end,
    message: 'This code fence is never closed, so it hides nothing: calls after it are read and run.',
    fix: { title: 'Close the fence at the end', edits: [at(textEnd, `\n${delimiter}`)] },
  };
}

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
    ...(last !== undefined && { fix: { title: 'Add the end marker', edits: [at(last.end, `\n${markers.end}`)] } }),
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

/** An END without a START. */
export function strayEndDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'stray-end',
    severity: 'warning',
    start,
    end,
    message: `${markers.end} closes nothing: no block is open here.`,
    fix: { title: 'Remove the marker', edits: [remove({ start, end })] },
  };
}

/**
 * Fields outside a block that name a tool. `before` and `after` are markers in a wrong writing around them; `after` is
 * `end` where a good END follows.
 */
export function bareFieldsDiagnostic({
  start,
  end,
  before,
  after,
}: TextRange & { before?: TextRange | undefined; after?: TextRange | 'end' | undefined }): VcpDiagnostic {
  const edits = [before === undefined ? at(start, `${markers.start}\n`) : replace(before, markers.start)];
  if (after !== 'end') edits.push(after === undefined ? at(end, `\n${markers.end}`) : replace(after, markers.end));
  return {
    code: 'bare-fields',
    severity: 'error',
    start,
    end,
    message: `These fields stand outside a block, so nothing is run: a call goes between ${markers.start} and ${markers.end}.`,
    fix: { title: 'Put the fields in a block', edits },
  };
}

/** A block whose markers are of the retired or of the escaped kind. */
export function retiredBlockDiagnostic(kind: 'legacy' | 'escaped', start: TextRange, end?: TextRange): VcpDiagnostic {
  const word = kind === 'legacy' ? '_EXP' : '_ESCAPE';
  return {
    code: kind === 'legacy' ? 'legacy-marker' : 'escaped-block',
    severity: 'error',
    start: start.start,
    end: end?.end ?? start.end,
    message:
      kind === 'legacy'
        ? 'This block uses the retired marker TOOL_REQUEST_EXP, so it is not run.'
        : 'This block uses the marker TOOL_REQUEST_ESCAPE, which carries a call as data: it is not run.',
    fix: {
      title: `Take ${word} out of the marker${end === undefined ? '' : 's'}`,
      edits: [replace(start, markers.start), ...(end === undefined ? [] : [replace(end, markers.end)])],
    },
  };
}

/** No `tool_name`, or an empty one. */
export function missingToolNameDiagnostic(
  range: TextRange,
  bodyStart: number,
  fields: readonly VcpField[],
): VcpDiagnostic {
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
      fix: { title: 'Write it as tool_name', edits: [replace(near.keyRange, 'tool_name')] },
    };
  }
  return {
    ...base,
    message: 'The block has no tool_name, so it is not run.',
    fix: { title: 'Add tool_name', edits: [at(bodyStart, `\ntool_name:${fences.open}${fences.close},`)] },
  };
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

/** A key that comes twice: the last counts. */
export function duplicateKeyDiagnostic(key: string, earlier: VcpField, { keyRange }: VcpField): VcpDiagnostic {
  return {
    code: 'duplicate-key',
    severity: 'warning',
    ...keyRange,
    message: `“${key}” comes more than once: the last value counts.`,
    fix: { title: 'Remove the earlier one', edits: [remove(earlier)] },
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
      edits: offsets.map((offset) => replace({ start: offset, end: offset + 2 }, '\n')),
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
