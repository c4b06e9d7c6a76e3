import { error, insertAt, removeRange, warning } from '../diagnostics.ts';
import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import type { JsonProblem } from '../../base/jsonNode.ts';
import { callTags } from './reading.ts';
import type { JsonDiagnostic } from './types.ts';

/** A call in code. `edits` take it out. */
export function codeCallDiagnostic(range: TextRange, edits: TextEdit[] | undefined): JsonDiagnostic {
  const fix = edits && { title: 'Take the call out of the code', edits };
  return warning('fenced', range, 'This call is in code, so it is shown, not run.', fix);
}

/** Reasoning or an echo that has no end. */
export function unclosedInertDiagnostic(range: TextRange, tag: string, textEnd: number): JsonDiagnostic {
  const message = `<${tag}> is never closed: the rest of the text belongs to it, and no call in it is run.`;
  const fix = { title: `Close it with </${tag}> at the end`, edits: [insertAt(textEnd, `</${tag}>`)] };
  return warning(tag === 'tool_response' ? 'echoed-result' : 'unclosed-reasoning', range, message, fix);
}

/** `<tool_call>` without its end. `run`: the call itself is whole, and nothing follows it. */
export function unclosedCallDiagnostic(range: TextRange, kind: 'run' | 'text-follows' | 'empty'): JsonDiagnostic {
  const message = {
    run: `${callTags.close} is missing. The call is whole and nothing follows it, so it is run.`,
    'text-follows': `${callTags.close} is missing, and text follows the call: it is not run.`,
    empty: `${callTags.open} has neither a call nor an end: nothing is run.`,
  }[kind];
  const fix = { title: `Add the tag ${callTags.close}`, edits: [insertAt(range.end, `\n${callTags.close}`)] };
  const report = kind === 'text-follows' ? error : warning;
  return report('unclosed-block', range, message, kind === 'empty' ? undefined : fix);
}

/** `</tool_call>` alone. */
export function strayEndDiagnostic(range: TextRange): JsonDiagnostic {
  const fix = { title: 'Remove the tag', edits: [removeRange(range)] };
  return warning('stray-end', range, `${callTags.close} closes nothing: no call is open here.`, fix);
}

/** Nothing between the tags. */
export function emptyCallDiagnostic(range: TextRange): JsonDiagnostic {
  return warning('empty-block', range, 'There is nothing between these tags: nothing is run.');
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
  return error('broken-json', range, message, edits && { title: 'Make it JSON', edits });
}

/** Something else than a call between the tags or in the fence of one. */
export function notACallDiagnostic(range: TextRange): JsonDiagnostic {
  return error('not-a-call', range, 'This is not a call. A call is written {"name": "…", "arguments": {…}}.');
}

/** A call that names no tool. */
export function missingNameDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'The call names no tool, so it is not run: "name" must be that of a registered method.';
  return error('missing-tool-name', range, message);
}

/** Arguments that are a list, a number, a text. */
export function argumentsNotObjectDiagnostic(range: TextRange): JsonDiagnostic {
  return error('arguments-not-object', range, 'The arguments are not a JSON object, so the call is not run.');
}

/** A call with other text on its line. */
export function inlineCallDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'This call is within a line of other text, so it counts as an example and is not run.';
  const edits = [insertAt(range.start, `\n${callTags.open}\n`), insertAt(range.end, `\n${callTags.close}\n`)];
  return warning('inline-call', range, message, { title: 'Put it between tags', edits });
}

/** A tool's description. */
export function definitionDiagnostic({ start, end }: TextRange): JsonDiagnostic {
  const message = 'This describes a tool with its parameters; it calls nothing.';
  return { code: 'tool-definition', severity: 'info', start, end, message };
}

/** A piece of a streamed answer. */
export function fragmentDiagnostic(range: TextRange): JsonDiagnostic {
  const message = 'This is a piece of a streamed answer: its call is not whole, so it is not run.';
  return warning('stream-fragment', range, message);
}
