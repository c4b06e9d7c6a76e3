import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import type { JsonProblem } from './jsonNode.ts';
import { callTags } from './reading.ts';
import type { JsonDiagnostic } from './types.ts';

const at = (offset: number, newText: string): TextEdit => ({ start: offset, end: offset, newText });
const remove = ({ start, end }: TextRange): TextEdit => ({ start, end, newText: '' });
const place = ({ start, end }: TextRange): TextRange => ({ start, end });

/** The position of a call that is only shown or considered, not made. `edits` take it out of its code. */
export function inertCallDiagnostic(
  kind: 'code' | 'reasoning' | 'echo',
  range: TextRange,
  edits?: TextEdit[],
): JsonDiagnostic {
  const what = {
    code: { code: 'fenced', message: 'This call is in code, so it is shown, not run.' },
    reasoning: { code: 'in-reasoning', message: 'This call is in the model’s reasoning, so it is not run.' },
    echo: {
      code: 'echoed-result',
      message: 'This call is in a result that the model repeats, so it is not run: a result is data.',
    },
  } as const;
  const fix = edits === undefined ? {} : { fix: { title: 'Take the call out of the code', edits } };
  return { ...what[kind], severity: 'warning', ...place(range), ...fix };
}

/** Reasoning or an echo that has no end. */
export function unclosedInertDiagnostic(range: TextRange, tag: string, textEnd: number): JsonDiagnostic {
  const reasoning = tag !== 'tool_response';
  return {
    code: reasoning ? 'unclosed-reasoning' : 'echoed-result',
    severity: 'warning',
    ...place(range),
    message: `<${tag}> is never closed: the rest of the text belongs to it, and no call in it is run.`,
    fix: { title: `Close it with </${tag}> at the end`, edits: [at(textEnd, `</${tag}>`)] },
  };
}

/** A fence that never closes. The fix, if there is one, is `close`: before the first call after it, or at the end. */
export function unclosedFenceDiagnostic(
  range: TextRange,
  { close, isBeforeCall }: { close: TextEdit | undefined; isBeforeCall: boolean },
): JsonDiagnostic {
  const title = `Close the fence ${isBeforeCall ? 'before the call' : 'at the end'}`;
  return {
    code: 'unclosed-fence',
    severity: 'warning',
    ...place(range),
    message: 'This code fence is never closed, so it hides nothing: calls after it are read and run.',
    ...(close !== undefined && { fix: { title, edits: [close] } }),
  };
}

/** `<tool_call>` without its end. `run`: the call itself is whole, and nothing follows it. */
export function unclosedCallDiagnostic(range: TextRange, kind: 'run' | 'text-follows' | 'empty'): JsonDiagnostic {
  const message = {
    run: `${callTags.close} is missing. The call is whole and nothing follows it, so it is run.`,
    'text-follows': `${callTags.close} is missing, and text follows the call: it is not run.`,
    empty: `${callTags.open} has neither a call nor an end: nothing is run.`,
  }[kind];
  const severity = kind === 'text-follows' ? 'error' : 'warning';
  const fix = { fix: { title: `Add ${callTags.close}`, edits: [at(range.end, `\n${callTags.close}`)] } };
  return { code: 'unclosed-block', severity, ...place(range), message, ...(kind !== 'empty' && fix) };
}

/** `</tool_call>` alone. */
export function strayEndDiagnostic(range: TextRange): JsonDiagnostic {
  return {
    code: 'stray-end',
    severity: 'warning',
    ...place(range),
    message: `${callTags.close} closes nothing: no call is open here.`,
    fix: { title: 'Remove the tag', edits: [remove(range)] },
  };
}

/** Nothing between the tags. */
export function emptyCallDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'There is nothing between these tags: nothing is run.';
  return { code: 'empty-block', severity: 'warning', ...place(range), message };
}

/** Text that is not valid JSON. `where` begins the sentence. */
export function brokenJsonDiagnostic({
  range,
  problems,
  edits,
  where = 'This call is written in JSON',
}: {
  range: TextRange;
  problems: readonly JsonProblem[];
  edits: TextEdit[] | undefined;
  where?: string;
}): JsonDiagnostic {
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more of its kind)` : '';
  const message = `${where} that cannot be read, so the call is not run: ${problems[0]?.what ?? 'it is broken'}${more}.`;
  const fix = edits === undefined ? {} : { fix: { title: 'Make it JSON', edits } };
  return { code: 'broken-json', severity: 'error', ...place(range), message, ...fix };
}

/** Something else than a call between the tags or in the fence of one. */
export function notACallDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'This is not a call. A call is written {"name": "…", "arguments": {…}}.';
  return { code: 'not-a-call', severity: 'error', ...place(range), message };
}

/** A call that names no tool. */
export function missingNameDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'The call names no tool, so it is not run: "name" must be that of a registered method.';
  return { code: 'missing-tool-name', severity: 'error', ...place(range), message };
}

/** Arguments that are a list, a number, a text. */
export function argumentsNotObjectDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'The arguments are not a JSON object, so the call is not run.';
  return { code: 'arguments-not-object', severity: 'error', ...place(range), message };
}

/** An argument that comes twice. */
export function duplicateKeyDiagnostic(key: string, earlier: TextRange, range: TextRange): JsonDiagnostic {
  return {
    code: 'duplicate-key',
    severity: 'warning',
    ...place(range),
    message: `“${key.slice(0, 60).toWellFormed()}” comes more than once: the last value counts.`,
    fix: { title: 'Remove the earlier one', edits: [remove(earlier)] },
  };
}

/** The same call as an earlier one. */
export function repeatedCallDiagnostic(range: TextRange, toolName: string): JsonDiagnostic {
  const message = `${toolName.slice(0, 120).toWellFormed()} is called with the same arguments more than once: it runs each time.`;
  return { code: 'repeated-call', severity: 'warning', ...place(range), message };
}

/** A call with other text on its line. */
export function inlineCallDiagnostic(range: TextRange): JsonDiagnostic {
  return {
    code: 'inline-call',
    severity: 'warning',
    ...place(range),
    message: 'This call is within a line of other text, so it counts as an example and is not run.',
    fix: {
      title: 'Put it between tags',
      edits: [at(range.start, `\n${callTags.open}\n`), at(range.end, `\n${callTags.close}\n`)],
    },
  };
}

/** A tool's description. */
export function definitionDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'This describes a tool with its parameters; it calls nothing.';
  return { code: 'tool-definition', severity: 'info', ...place(range), message };
}

/** A piece of a streamed answer. */
export function fragmentDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'This is a piece of a streamed answer: its call is not whole, so it is not run.';
  return { code: 'stream-fragment', severity: 'warning', ...place(range), message };
}
