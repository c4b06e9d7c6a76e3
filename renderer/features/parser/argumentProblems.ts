import type { JsonSchema, ParsedCallView, ReplyRequest } from '../../../src-core/contract/types.ts';
import type { VcpProblem } from '../../ui/editor/vcp/vcpContext.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { removeJsonAt } from '../../ui/forms/json/editJsonText.ts';
import { nodeAt, propertyOf, type JsonPath } from '../../ui/forms/json/jsonNode.ts';
import { parseJsonText } from '../../ui/forms/json/parseJsonText.ts';
import { wordIssue, type Remedy } from '../../ui/forms/words/fieldMessage.ts';
import { wordIssues, type WordedIssue } from '../../ui/forms/words/wordIssues.ts';
import { t } from '../../i18n/index.ts';
import type { TextEdit } from './applyEdits.ts';
import { wordChange, writtenName } from './fixText.ts';
import type { Reading } from './useParse.ts';

interface TextRange {
  start: number;
  end: number;
}

/** The ranges of an argument, or of a part of its value, in the text. */
interface Written {
  field: ReplyRequest['fields'][number];
  /** The path in the value. */
  inner: JsonPath;
  key?: TextRange | undefined;
  value?: TextRange | undefined;
  /** The object in which it is missing. */
  holder?: TextRange | undefined;
}

/**
 * Returns the problems of the arguments of a call, worded as in the Executor, with at most one fix each. `named`: the position
 * of the call's name, used for arguments that are not in the text.
 */
export function argumentProblems(
  reading: Reading,
  call: ParsedCallView,
  { request, named, schema }: { request: ReplyRequest; named: TextRange; schema: JsonSchema },
): VcpProblem[] {
  const uncarried = call.arguments.filter(({ isUncarried }) => isUncarried).map(({ name }) => name);
  const issues = wordIssues(call.issues ?? [], { argsJson: call.argsJson, schema });
  const carried = issues.filter(({ path }) => !uncarried.includes(String(path[0])));
  const isSerial = (request.calls?.length ?? 0) > 1;
  const renamed = new Set<string>();
  const toProblem = (issue: WordedIssue, severity: VcpProblem['severity']): VcpProblem => {
    const { path, name, code, note } = issue;
    const kind = code === 'unknown' ? 'unknown' : code === 'required' ? 'missing' : 'invalid';
    const written = writtenAt(reading, request, path);
    const { start, end } = (kind === 'unknown' ? written?.key : written?.value) ?? written?.holder ?? named;
    const problem: VcpProblem = {
      code: `argument-${kind}`,
      severity,
      start,
      end,
      title: name === '' ? t('errors.what.invalid-arguments') : t(`parser.problems.argument.${kind}`, { name }),
      why: { missing: '', unknown: `“${visibleText(name)}”`, invalid: note.message }[kind],
      argument: { name: String(path[0] ?? ''), words: note.message, ...(path.length > 1 && { place: name }) },
    };
    const { remedy } = note;
    // If two names are nearly the same parameter, only one of them is renamed.
    if (remedy === undefined || written === undefined || isSerial || renamed.has(remedy.name ?? '')) return problem;
    const edit = editOf(reading, written, remedy);
    if (edit === undefined) return problem;
    if (remedy.name !== undefined) renamed.add(remedy.name);
    const isNarrowed = reading.text.slice(edit.start, edit.end).normalize('NFKC') === edit.newText;
    const change = isNarrowed ? wordChange(reading.text, [edit]) : undefined;
    return { ...problem, fix: { title: change ?? remedy.word, edits: [edit] } };
  };
  return [
    ...uncarried.map((name) => uncarriedProblem(name, named)),
    ...carried.map((issue) => toProblem(issue, 'error')),
    ...unknownIssues(call, schema).map((issue) => toProblem(issue, 'warning')),
  ];
}

function uncarriedProblem(name: string, { start, end }: TextRange): VcpProblem {
  const title = t('discovery.uncarried', { names: `“${visibleText(name)}”` });
  return { code: 'argument-uncarried', severity: 'error', start, end, title, why: t('discovery.uncarriedHint') };
}

/** Arguments that the schema does not name, but allows. */
function unknownIssues(call: ParsedCallView, schema: JsonSchema): WordedIssue[] {
  const given = new Set(call.arguments.filter(({ raw }) => raw !== undefined).map(({ name }) => name));
  const known = Object.keys(schema.properties ?? {}).filter((name) => !given.has(name));
  const unknown = call.arguments.filter(({ verdict }) => verdict === 'unknown');
  return unknown.map(({ name }) => {
    const note = wordIssue({ path: [name], code: 'unknown', params: { name }, known });
    return { path: [name], name, code: 'unknown', note };
  });
}

function writtenAt({ text }: Reading, { fields }: ReplyRequest, [name, ...inner]: JsonPath): Written | undefined {
  const field = fields.findLast(({ key }) => key === name);
  if (field === undefined) return undefined;
  const { keyRange, valueRange } = field;
  if (inner.length === 0) return { field, inner, key: keyRange, value: valueRange };
  const parsed = parseJsonText(text.slice(valueRange.start, valueRange.end));
  if (!parsed.ok) return { field, inner, holder: valueRange };
  const holder = nodeAt(parsed.root, inner.slice(0, -1));
  const property = holder?.kind === 'object' ? propertyOf(holder, String(inner.at(-1))) : undefined;
  const [key, value, around] = [property?.keySpan, nodeAt(parsed.root, inner), holder ?? parsed.root].map(
    (part) => part && { start: valueRange.start + part.start, end: valueRange.start + part.end },
  );
  return { field, inner, key, value, holder: around };
}

/** The edit that applies a remedy; undefined if the text does not allow it. */
function editOf(reading: Reading, written: Written, { json, name }: Remedy): TextEdit | undefined {
  const { field, inner, key, value } = written;
  const isPart = inner.length > 0;
  const { start, end } = field.valueRange;
  if (json !== undefined) return value && (isPart ? { ...value, newText: json } : valueEdit(reading, value, json));
  if (name !== undefined) return key && { ...key, newText: isPart ? JSON.stringify(name) : writtenName(reading, name) };
  if (isPart) return key && { start, end, newText: removeJsonAt(reading.text.slice(start, end), inner) };
  return removalOf(reading, field);
}

/** Writes a value, as JSON, in the place of an argument's. */
function valueEdit({ text, dialect }: Reading, { start, end }: TextRange, json: string): TextEdit | undefined {
  if (dialect !== 'json') return { start, end, newText: json.startsWith('"') ? String(JSON.parse(json)) : json };
  // The range of a string is within its quotes.
  if (text[start - 1] !== '"') return { start, end, newText: json };
  return text[start - 2] === '\\' ? undefined : { start: start - 1, end: end + 1, newText: json };
}

/** The edit that takes the field of a VCP argument out of the text, if it is alone on its lines. */
function removalOf({ text, dialect }: Reading, field: ReplyRequest['fields'][number]): TextEdit | undefined {
  const { start } = field.keyRange;
  if (dialect === 'json' || text[start - 1] !== '\n') return undefined;
  const rest = /^「末(?:ESCAPE)?」[,，]?[ \t]*\r?\n/.exec(text.slice(field.valueRange.end, field.valueRange.end + 40));
  return rest === null ? undefined : { start, end: field.valueRange.end + rest[0].length, newText: '' };
}
