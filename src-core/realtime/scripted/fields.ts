import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { EventError } from './eventError.ts';

/** Checks a field's value; throws if it is wrong. `param` is its full name. */
export type FieldCheck = (value: JsonValue, param: string) => void;

/**
 * Checks an object's fields by name, as OpenAI does: what is not in the list is an unknown parameter.
 * @throws EventError naming the field
 */
export function checkFields(
  value: JsonValue | undefined,
  param: string,
  fields: Record<string, FieldCheck>,
): JsonObject {
  if (!isJsonObject(value)) throw wrongType(param, 'an object');
  for (const [name, field] of Object.entries(value)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const whole = `${param}.${name}`;
    if (check === undefined) {
      throw new EventError({ code: 'unknown_parameter', message: `Unknown parameter: '${whole}'.`, param: whole });
    }
    check(field, whole);
  }
  return value;
}

/** Takes anything: a field that the scripted server has no use for. */
export const anything: FieldCheck = () => {};

/** A text of at most so many characters. */
export function text(maxLength: number): FieldCheck {
  return (value, param) => {
    if (typeof value !== 'string') throw wrongType(param, 'a string');
    if (value.length > maxLength) {
      throw new EventError({
        code: 'string_above_max_length',
        message: `'${param}' has ${value.length} characters; the most is ${maxLength}.`,
        param,
      });
    }
  };
}

/** A number within bounds, both included. */
export function number(minimum: number, maximum: number): FieldCheck {
  return (value, param) => {
    if (typeof value !== 'number') throw wrongType(param, 'a number');
    if (value < minimum || value > maximum) {
      throw new EventError({
        code: value < minimum ? 'decimal_below_min_value' : 'decimal_above_max_value',
        message: `'${param}' is ${value}; it must be from ${minimum} to ${maximum}.`,
        param,
      });
    }
  };
}

export const flag: FieldCheck = (value, param) => {
  if (typeof value !== 'boolean') throw wrongType(param, 'true or false');
};

/** One of the values, compared as JSON. */
export function oneOf(...values: JsonValue[]): FieldCheck {
  return (value, param) => {
    const written = JSON.stringify(value);
    if (values.some((allowed) => JSON.stringify(allowed) === written)) return;
    const list = values.map((allowed) => JSON.stringify(allowed)).join(', ');
    throw new EventError({
      code: 'invalid_value',
      message: `Invalid value: ${written.slice(0, 200)}. Supported values are: ${list}.`,
      param,
    });
  };
}

/** `null`, or what the check takes. */
export function nullOr(check: FieldCheck): FieldCheck {
  return (value, param) => {
    if (value !== null) check(value, param);
  };
}

/** @throws {EventError} If the field is missing. */
export function required(value: JsonObject, name: string, param: string): JsonValue {
  const field = Object.hasOwn(value, name) ? value[name] : undefined;
  if (field !== undefined) return field;
  throw new EventError({
    code: 'missing_required_parameter',
    message: `Missing required parameter: '${param}.${name}'.`,
    param: `${param}.${name}`,
  });
}

export function wrongType(param: string, wanted: string): EventError {
  return new EventError({ code: 'invalid_type', message: `Invalid type for '${param}': expected ${wanted}.`, param });
}
