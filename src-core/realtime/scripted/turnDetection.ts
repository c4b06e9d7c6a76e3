import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { TurnDetection } from './dialect.ts';
import { anything, checkFields, flag, number, nullOr, oneOf, required } from './fields.ts';
import type { FieldCheck } from './fields.ts';

/** What a new session listens by. */
export const defaultTurnDetection: JsonObject = {
  type: 'server_vad',
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 500,
  create_response: true,
  interrupt_response: true,
};

const fields: Record<string, FieldCheck> = {
  type: oneOf('server_vad', 'semantic_vad'),
  threshold: number(0, 1),
  prefix_padding_ms: number(0, 10_000),
  silence_duration_ms: number(0, 10_000),
  idle_timeout_ms: nullOr(number(0, 60_000)),
  eagerness: anything,
  create_response: flag,
  interrupt_response: flag,
};

/** `null`, or one that the scripted server knows; what it means is always an energy threshold. */
export const checkTurnDetection: FieldCheck = nullOr((value, param) => {
  required(checkFields(value, param, fields), 'type', param);
});

/** What was checked, with the default for what it leaves out. */
export function completeTurnDetection(value: JsonValue): JsonValue {
  return isJsonObject(value) ? { ...defaultTurnDetection, ...value } : null;
}

export function readTurnDetection(value: JsonValue | undefined): TurnDetection | undefined {
  if (!isJsonObject(value)) return undefined;
  return {
    threshold: Number(value['threshold']),
    prefixPaddingMs: Number(value['prefix_padding_ms']),
    silenceDurationMs: Number(value['silence_duration_ms']),
    createsResponse: value['create_response'] === true,
    interruptsResponse: value['interrupt_response'] === true,
  };
}
