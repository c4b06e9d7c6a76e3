import { createHash } from 'node:crypto';

import { parseIntegersExactly } from '../base/exactNumber.ts';
import type { JsonSchema } from '../base/json.ts';
import type { BegunCall, HistoryRow, StoredBegun, StoredCall, StoredSchema } from './historyTypes.ts';
import { statusOf } from '../contract/stateWords.ts';

/** Characters of a result's text that are kept. */
const maxResultLength = 128 * 1024;
/** Characters of JSON, each. */
const maxArgsLength = 1024 * 1024;
const maxContentLength = 1024 * 1024;
const maxStructuredLength = 1024 * 1024;
/** Characters of JSON; a schema that is longer is not kept. */
const maxSchemaLength = 512 * 1024;

/** Whether the text of a result out of the history is only the beginning of what it was. */
export function isCutText(text: string): boolean {
  return text.length > maxResultLength;
}

/** A finished call as texts. What is too long is cut, and says by how much. */
export function writeCall({ argsJson, result, ...rest }: HistoryRow, schema?: StoredSchema): StoredCall {
  const { result: text, ...outcome } = result;
  return {
    callId: rest.callId,
    qualifiedName: rest.qualifiedName,
    sourceKind: rest.source.kind,
    startedAt: rest.startedAt,
    status: statusOf(result),
    args: boundArgs(argsJson),
    result: boundText(text),
    record: boundRecord({ ...rest, result: outcome }),
    schema,
  };
}

type Outcome = Omit<HistoryRow['result'], 'result'>;

/** JSON without the content or data that is too long. */
function boundRecord(record: Omit<HistoryRow, 'argsJson' | 'result'> & { result: Outcome }): string {
  const json = JSON.stringify(record);
  // Most records are shorter than each part may be.
  if (json.length <= Math.min(maxContentLength, maxStructuredLength)) return json;
  const { content, structuredContent, ...outcome } = record.result;
  const keepContent = content !== undefined && JSON.stringify(content).length <= maxContentLength;
  const keepStructured = structuredContent !== undefined && structuredContent.length <= maxStructuredLength;
  const result = { ...outcome, ...(keepContent && { content }), ...(keepStructured && { structuredContent }) };
  return JSON.stringify({ ...record, result });
}

/** A call that has begun, as texts. */
export function writeBegun({ argsJson, ...rest }: BegunCall): StoredBegun {
  return { callId: rest.callId, args: boundArgs(argsJson), record: JSON.stringify(rest) };
}

/** Reads texts that the store has checked. */
export function readCall({ args, result, record }: Pick<StoredCall, 'args' | 'result' | 'record'>): HistoryRow {
  const rest = parseIntegersExactly(record) as unknown as HistoryRow;
  return { ...rest, argsJson: args, result: { ...rest.result, result } };
}

/** Reads texts that the store has checked. */
export function readBegun({ args, record }: StoredBegun): BegunCall {
  return { ...(JSON.parse(record) as BegunCall), argsJson: args };
}

/** Schemas as texts. A tool's schema is the same object from call to call: it is written out once. */
export function createSchemaWriter(): (schema: JsonSchema) => StoredSchema | undefined {
  const texts = new WeakMap<JsonSchema, StoredSchema | null>();
  return (schema) => {
    const known = texts.get(schema);
    if (known !== undefined) return known ?? undefined;
    const text = JSON.stringify(schema);
    const made =
      text.length > maxSchemaLength ? null : { hash: createHash('sha256').update(text).digest('base64'), text };
    texts.set(schema, made);
    return made ?? undefined;
  };
}

function boundText(text: string): string {
  if (!isCutText(text)) return text;
  const cut = text.length - maxResultLength;
  return `${text.slice(0, maxResultLength).toWellFormed()}… (${cut.toLocaleString('en')} more characters were not kept)`;
}

function boundArgs(argsJson: string): string {
  const { length } = argsJson;
  if (length <= maxArgsLength) return argsJson;
  return JSON.stringify({ '(not kept)': `The arguments had ${length.toLocaleString('en')} characters of JSON.` });
}
