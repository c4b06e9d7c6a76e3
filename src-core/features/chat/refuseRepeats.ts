import { cloneJson } from '../../base/cloneJson.ts';
import { createTurns } from '../../base/createTurns.ts';
import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import type { PlannedCall } from './plannedCalls.ts';

/** Counts the identical calls of one turn: the same method with the same arguments, in any order. */
export interface RepeatCounter {
  /**
   * Refuses every call that was made more than `maxRepeats` times. True if a call was refused in this turn already, and
   * the model has repeated it: the turn should end.
   */
  refuse(planned: readonly PlannedCall[], maxRepeats: number): Promise<boolean>;
}

/** Makes a counter for one turn. */
export function createRepeatCounter(): RepeatCounter {
  const times = new Map<string, number>();
  let refusals = 0;
  return {
    async refuse(planned, maxRepeats) {
      const rest = createTurns();
      const before = refusals;
      let repeated = false;
      for (const each of planned) {
        const key = keyOf(each);
        const made = times.get(key) ?? 0;
        times.set(key, made + 1);
        await rest(1);
        if (made <= maxRepeats) continue;
        each.refusal = tooOften(each, made);
        repeated = true;
      }
      if (repeated) refusals += 1;
      return repeated && before > 0;
    },
  };
}

function tooOften({ call }: PlannedCall, made: number): ToolError {
  const name = call.qualifiedName ?? call.toolName;
  return new ToolError(
    'repeated-call',
    `This call was not run: "${name}" was called ${made} times in this turn with the same arguments. ` +
      'Use the results you have, or make another call.',
    { details: { made } },
  );
}

/** Arguments that cannot be read are compared as written. */
function keyOf({ call, refusal }: PlannedCall): string {
  const read = refusal === undefined ? cloneJson(parseArgsJson(call.argsJson)) : undefined;
  const args = read !== undefined && 'value' in read ? read.value : (call.argumentsText ?? call.argsJson);
  return JSON.stringify([call.qualifiedName ?? `${call.toolName} ${call.command ?? ''}`, sorted(args)]);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return ['[]', ...value.map(sorted)];
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['{}', ...entries.map(([key, each]): JsonValue => [key, sorted(each)])];
}
