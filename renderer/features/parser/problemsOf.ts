import { nearestNames } from '../../../src-core/base/nearestNames.ts';
import type { JsonSchema, ParsedCallView, ReplyRequest, ToolErrorInfo } from '../../../src-core/contract/types.ts';
import { explainError } from '../calls/explainError.ts';
import type { VcpProblem } from '../../ui/editor/vcp/vcpContext.ts';
import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import { t } from '../../i18n/index.ts';
import { argumentProblems } from './argumentProblems.ts';
import { wordChange, writtenName } from './fixText.ts';
import type { Reading } from './useParse.ts';

interface TextRange {
  start: number;
  end: number;
}

/** Which tools are on, and the parameters of their methods. */
interface KnownTools {
  byId: ReadonlyMap<string, { enabled: boolean }>;
  find: (qualifiedName: string) => { method: { inputSchema: JsonSchema } } | undefined;
}

const ranks = { error: 0, warning: 1, info: 2 };

/**
 * Everything in a text that keeps a call from running or should be known about it, errors first: what the reading reports,
 * names that mean no method, methods that models may not call, tools that are off, and arguments that do not fit.
 */
export function problemsOf(reading: Reading, tools?: KnownTools): VcpProblem[] {
  const reported = reading.diagnostics.map((diagnostic): VcpProblem => {
    const { code, severity, start, end, message, fix } = diagnostic;
    const problem = { code, severity, start, end, title: t(`parser.code.${code}`), why: wordEngine(message) };
    if (fix === undefined) return problem;
    const change = code === 'malformed-field' ? wordChange(reading.text, fix.edits) : undefined;
    return { ...problem, fix: { title: change ?? wordEngine(fix.title), edits: fix.edits } };
  });
  const names = namesIn(reading);
  const ofCalls = reading.calls.flatMap((call) => problemsOfCall(reading, call, { tools, names }));
  return [...reported, ...ofCalls].sort((a, b) => ranks[a.severity] - ranks[b.severity] || a.start - b.start);
}

/** Whether a call runs as it is written: its tool is known and on, models may call it, and its arguments fit. */
export function runsAsWritten(
  { resolution, arguments: args }: ParsedCallView,
  tools: Pick<KnownTools, 'byId'>,
): boolean {
  const unfit = args.some(({ verdict }) => verdict === 'invalid' || verdict === 'missing');
  return resolution.ok && resolution.agentCallable && !unfit && tools.byId.get(resolution.toolId)?.enabled !== false;
}

/** The ranges of the names of JSON calls; undefined for VCP. */
function namesIn({ dialect, regions }: Reading): readonly TextRange[] | undefined {
  return dialect === 'json' ? regions.filter(({ kind }) => kind === 'name') : undefined;
}

/** What keeps a call of a reading from running, and what else should be known about it. */
export function problemsOfCall(
  reading: Reading,
  call: ParsedCallView,
  {
    tools,
    names = namesIn(reading),
  }: { tools?: KnownTools | undefined; names?: readonly TextRange[] | undefined } = {},
): VcpProblem[] {
  const request = reading.requests[call.request];
  if (request === undefined) return [];
  const isSerial = (request.calls?.length ?? 0) > 1;
  const name = nameRange(request, names);
  const { resolution } = call;
  if (!resolution.ok) return [problemOfName(reading, call, { request, name, isSerial, error: resolution.error })];
  const named = name ?? request.range;
  const base = { severity: 'error', ...named } as const;
  const { qualifiedName, toolId, toolName, agentCallable } = resolution;
  const schema = tools?.find(qualifiedName)?.method.inputSchema ?? {};
  const ofArguments = argumentProblems(reading, call, { request, named, schema });
  if (!agentCallable) {
    const title = t('parser.problems.notCallable');
    const why = t('parser.problems.notOffered', { name: qualifiedName });
    return [{ ...base, code: 'not-agent-callable', title, why }, ...ofArguments];
  }
  if (tools?.byId.get(toolId)?.enabled !== false) return ofArguments;
  const title = t('errors.what.tool-disabled');
  const why = t('parser.problems.toolOff', { name: toolName });
  return [{ ...base, code: 'tool-disabled', title, why, offTool: toolId }, ...ofArguments];
}

/** The name of a call means no method. */
function problemOfName(
  reading: Reading,
  call: ParsedCallView,
  options: { request: ReplyRequest; name: TextRange | undefined; isSerial: boolean; error: ToolErrorInfo },
): VcpProblem {
  const { request, name, isSerial, error } = options;
  const { what, why } = explainError(error, { fromDevice: false, linked: true });
  const { place, nearest } = isSerial ? {} : correctionOf(call, { fields: request.fields, name });
  const marked = commandRange(reading, call) ?? name ?? request.range;
  const problem: VcpProblem = { code: error.code, severity: 'error', ...marked, title: what, why };
  const cased =
    call.command === undefined && place !== undefined
      ? request.fields.find(({ key }) => key !== 'command' && key.toLowerCase() === 'command')
      : undefined;
  if (cased !== undefined) {
    const { start, end } = cased.keyRange;
    const fix = {
      title: t('parser.problems.replace', { old: cased.key, next: 'command' }),
      edits: [{ start, end, newText: 'command' }],
    };
    return { ...problem, start, end, why: t('parser.problems.commandCase', { key: cased.key }), fix };
  }
  if (nearest === undefined || place === undefined) return problem;
  const fix = {
    title: t('parser.problems.useName', { name: nearest }),
    edits: [{ ...place, newText: writtenName(reading, nearest) }],
  };
  return { ...problem, fix };
}

/** The wrong part of a call's name that matches no method, and the name that is probably meant. */
function correctionOf(
  { toolName, command, resolution }: ParsedCallView,
  { fields, name }: { fields: ReplyRequest['fields']; name: TextRange | undefined },
): { place?: TextRange | undefined; nearest?: string | undefined } {
  const candidates = resolution.ok ? [] : (resolution.error.candidates ?? []);
  if (command === undefined) return { place: name, nearest: similarName(candidates, toolName) };
  const methods = candidates
    .filter((each) => each.startsWith(`${toolName}_`))
    .map((each) => each.slice(toolName.length + 1));
  const [nearest] = nearestNames({ query: command, items: methods, keysOf: (each) => [each], least: 0.6 });
  return { place: rangeOf(fields, ['command']), nearest };
}

/** The first of the names if it is probably the one that is meant: most of it is as written. */
function similarName([name, ...others]: readonly string[], written: string): string | undefined {
  if (name === undefined) return undefined;
  // The only method of a tool, or a method whose tool is not named.
  if (name.startsWith(`${written}_`)) return others.length === 0 ? name : undefined;
  const keysOf = (each: string): string[] =>
    written.includes('_') ? [each] : [each, each.slice(each.indexOf('_') + 1)];
  return nearestNames({ query: written, items: [name], keysOf, least: 0.7 })[0];
}

/** Where the tool's name is written. Fields of JSON are arguments, also one that is called `tool_name`. */
function nameRange({ fields, range }: ReplyRequest, names: readonly TextRange[] | undefined): TextRange | undefined {
  if (names === undefined) return rangeOf(fields, ['tool_name']);
  const region = names.find(({ start, end }) => start >= range.start && end <= range.end);
  return region === undefined ? undefined : { start: region.start, end: region.end };
}

/** The range of the name of an unknown method. */
function commandRange({ requests, text }: Reading, call: ParsedCallView): TextRange | undefined {
  if (call.resolution.ok || call.resolution.error.code !== 'unknown-method') return undefined;
  const field = requests[call.request]?.fields.findLast(
    ({ key, valueRange: { start, end } }) => /^command\d*$/.test(key) && text.slice(start, end).trim() === call.command,
  );
  return field && { start: field.valueRange.start, end: field.valueRange.end };
}

function rangeOf(fields: ReplyRequest['fields'], keys: readonly string[]): TextRange | undefined {
  const range = fields.findLast(({ key }) => keys.includes(key))?.valueRange;
  return range === undefined ? undefined : { start: range.start, end: range.end };
}
