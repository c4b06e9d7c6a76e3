import { nearestNames } from '../../../src-core/base/nearestNames.ts';
import type { ParsedCallView, ReplyRequest, ToolErrorInfo } from '../../../src-core/contract/types.ts';
import { explainError } from '../calls/explainError.ts';
import type { VcpProblem } from '../../ui/editor/vcp/vcpContext.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { wordEngineIssue } from '../../ui/forms/words/fieldMessage.ts';
import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import { t } from '../../i18n/index.ts';
import type { TextEdit } from './applyEdits.ts';
import type { Reading } from './useParse.ts';

interface TextRange {
  start: number;
  end: number;
}

/** Which tools are on. */
interface ToolSwitches {
  byId: ReadonlyMap<string, { enabled: boolean }>;
}

/** Characters of a text that the title of a fix names. */
const maxNamed = 40;
const ranks = { error: 0, warning: 1, info: 2 };

/**
 * Everything in a text that keeps a call from running or should be known about it, errors first: what the reading reports,
 * names that mean no method, methods that models may not call, tools that are off, and arguments that do not fit.
 */
export function problemsOf(reading: Reading, tools?: ToolSwitches): VcpProblem[] {
  const reported = reading.diagnostics.map((diagnostic): VcpProblem => {
    const { code, severity, start, end, message, fix } = diagnostic;
    const problem = { code, severity, start, end, title: t(`parser.code.${code}`), why: wordEngine(message) };
    if (fix === undefined) return problem;
    const change = code === 'malformed-field' ? changeOf(reading.text, fix.edits) : undefined;
    return { ...problem, fix: { title: change ?? wordEngine(fix.title), edits: fix.edits } };
  });
  const names = namesIn(reading);
  const ofCalls = reading.calls.flatMap((call) => problemsOfCall(reading, call, { tools, names }));
  return [...reported, ...ofCalls].sort((a, b) => ranks[a.severity] - ranks[b.severity] || a.start - b.start);
}

/** The words for a fix of a single short edit. */
function changeOf(text: string, [edit, ...others]: readonly TextEdit[]): string | undefined {
  if (edit === undefined || others.length > 0 || edit.end - edit.start > maxNamed) return undefined;
  const [old, next] = [text.slice(edit.start, edit.end), edit.newText].map((part) => visibleText(part));
  if (!old || next === undefined || next.length > maxNamed) return undefined;
  if (next === '') return t('parser.problems.remove', { old });
  // “：” and “:” may look alike.
  const isNarrowed = old !== next && old.normalize('NFKC') === next;
  return t(isNarrowed ? 'parser.problems.narrow' : 'parser.problems.replace', { old, next });
}

/** The edit that takes the field of a VCP argument out of the text, if it is alone on its lines. */
function removalOf({ text, dialect }: Reading, field: ReplyRequest['fields'][number]): TextEdit | undefined {
  const { start } = field.keyRange;
  if (dialect === 'json' || text[start - 1] !== '\n') return undefined;
  const rest = /^「末(?:ESCAPE)?」[,，]?[ \t]*\r?\n/.exec(text.slice(field.valueRange.end, field.valueRange.end + 40));
  return rest === null ? undefined : { start, end: field.valueRange.end + rest[0].length, newText: '' };
}

/** Whether a call runs as it is written: its tool is known and on, models may call it, and its arguments fit. */
export function runsAsWritten({ resolution, arguments: args }: ParsedCallView, tools: ToolSwitches): boolean {
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
  }: { tools?: ToolSwitches | undefined; names?: readonly TextRange[] | undefined } = {},
): VcpProblem[] {
  const request = reading.requests[call.request];
  if (request === undefined) return [];
  const isSerial = (request.calls?.length ?? 0) > 1;
  const name = nameRange(request, names);
  const { resolution } = call;
  if (!resolution.ok) return [problemOfName(reading, call, { request, name, isSerial, error: resolution.error })];
  const named = name ?? request.range;
  const base = { severity: 'error', ...named } as const;
  if (!resolution.agentCallable) {
    const title = t('parser.problems.notCallable');
    return [
      {
        ...base,
        code: 'not-agent-callable',
        title,
        why: t('parser.problems.notOffered', { name: resolution.qualifiedName }),
      },
    ];
  }
  const { qualifiedName: method, toolId, toolName } = resolution;
  const ofArguments = problemsOfArguments(reading, call, { request, named, isSerial, method });
  if (tools?.byId.get(toolId)?.enabled !== false) return ofArguments;
  const title = t('errors.what.tool-disabled');
  const why = t('parser.problems.toolOff', { name: toolName });
  return [{ ...base, code: 'tool-disabled', title, why, offTool: toolId }, ...ofArguments];
}

/** Arguments that do not fit, or that VCP cannot pass. `named`: the position of the call's name. */
function problemsOfArguments(
  reading: Reading,
  call: ParsedCallView,
  { request, named, isSerial, method }: { request: ReplyRequest; named: TextRange; isSerial: boolean; method: string },
): VcpProblem[] {
  const base = { severity: 'error', ...named } as const;
  const free = call.arguments.filter(
    ({ verdict, isUncarried }) => !isUncarried && (verdict === 'missing' || verdict === 'default-not-sent'),
  );
  return call.arguments.flatMap(({ name, verdict, message, remedyJson, isUncarried }): VcpProblem[] => {
    if (isUncarried) {
      const title = t('discovery.uncarried', { names: `“${visibleText(name)}”` });
      return [{ ...base, code: 'argument-uncarried', title, why: t('discovery.uncarriedHint') }];
    }
    if (verdict !== 'invalid' && verdict !== 'missing' && verdict !== 'unknown') return [];
    const place = rangeOf(request.fields, [name]) ?? named;
    const title = t(`parser.problems.argument.${verdict}`, { name });
    if (verdict === 'unknown') {
      const why = t('parser.problems.notParameter', { name, method });
      const field = request.fields.findLast(({ key }) => key === name);
      const edit = field && removalOf(reading, field);
      const problem = { code: 'argument-unknown', severity: 'warning' as const, ...place, title, why };
      const [meant] = nearestNames({ query: name, items: free, keysOf: (each) => [each.name], least: 0.6 });
      if (field !== undefined && meant !== undefined && !isSerial) {
        free.splice(free.indexOf(meant), 1);
        const edits = [
          { start: field.keyRange.start, end: field.keyRange.end, newText: writtenName(reading, meant.name) },
        ];
        return [{ ...problem, fix: { title: t('parser.problems.renameParameter', { name: meant.name }), edits } }];
      }
      return [edit ? { ...problem, fix: { title: t('parser.problems.removeParameter'), edits: [edit] } } : problem];
    }
    const remedy = remedyJson === undefined ? undefined : (JSON.parse(remedyJson) as string | number | boolean);
    const known = { path: '', parameter: name, message: verdict === 'invalid' ? (message ?? '') : '' };
    const note = wordEngineIssue({ ...known, ...(remedy !== undefined && { remedy }) });
    const problem = { code: `argument-${verdict}`, severity: 'error' as const, ...place, title, why: note.message };
    if (note.remedy === undefined || place === named || isSerial) return [problem];
    const edit = { ...place, newText: reading.dialect === 'json' ? (remedyJson ?? '') : String(remedy) };
    const isNarrowed = reading.text.slice(place.start, place.end).normalize('NFKC') === edit.newText;
    const narrows = isNarrowed ? changeOf(reading.text, [edit]) : undefined;
    return [{ ...problem, fix: { title: narrows ?? note.remedy.word, edits: [edit] } }];
  });
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

/** A name as the text has it: within the quotes of JSON. */
function writtenName({ dialect }: Reading, name: string): string {
  return dialect === 'json' ? JSON.stringify(name).slice(1, -1) : name;
}

function rangeOf(fields: ReplyRequest['fields'], keys: readonly string[]): TextRange | undefined {
  const range = fields.findLast(({ key }) => keys.includes(key))?.valueRange;
  return range === undefined ? undefined : { start: range.start, end: range.end };
}
