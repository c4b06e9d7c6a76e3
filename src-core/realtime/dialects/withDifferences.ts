import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { RealtimeDialectDifferences } from '../../base/realtimeTypes.ts';
import type { RealtimeDialect } from './realtimeDialect.ts';
import { flatTool, nestedTool } from './wireTool.ts';

/** The dialect as a server speaks it that differs in some points. */
export function withDifferences(
  dialect: RealtimeDialect,
  differences: RealtimeDialectDifferences | undefined,
): RealtimeDialect {
  if (differences === undefined) return dialect;
  const { headers = {}, omit = [], tools: form, events = {} } = differences;
  const inputSampleRate = differences.inputSampleRate ?? dialect.inputSampleRate;
  const outputSampleRate = differences.outputSampleRate ?? dialect.outputSampleRate;
  return Object.freeze({
    ...dialect,
    inputSampleRate,
    outputSampleRate,
    changedHeaders: headers,
    serverNames: new Map(Object.entries(events)),
    dialectNames: new Map(Object.entries(events).map(([ours, theirs]) => [theirs, ours])),
    session(update, change) {
      const session = dialect.session(update, change);
      setRate(session, 'input', inputSampleRate);
      setRate(session, 'output', outputSampleRate);
      if (update.tools !== undefined && form !== undefined)
        session['tools'] = update.tools.map(form === 'flat' ? flatTool : nestedTool);
      return omit.reduce((rest, path) => without(rest, path.split('.')), session);
    },
  } satisfies RealtimeDialect);
}

/** The nested form names the rate; the flat forms have it in the name of the format. */
function setRate(session: JsonObject, direction: 'input' | 'output', rate: number): void {
  const audio = session['audio'];
  const side = isJsonObject(audio) ? audio[direction] : undefined;
  if (isJsonObject(side) && isJsonObject(side['format'])) side['format'] = { ...side['format'], rate };
}

function without(object: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  if (!Object.hasOwn(object, name)) return object;
  const { [name]: value, ...others } = object;
  if (rest.length === 0) return others;
  return isJsonObject(value) ? { ...object, [name]: without(value, rest) } : object;
}
