import { checkOptions } from '../../base/checkOptions.ts';

/** The types a device's arguments have (over 121 real tools no other was seen, docs/protocols/device-mcp.md). */
export const PropertyType = Object.freeze({ BOOLEAN: 'boolean', INTEGER: 'integer', STRING: 'string' } as const);
export type PropertyType = (typeof PropertyType)[keyof typeof PropertyType];

export type PropertyValue = boolean | number | string;

export interface PropertyOptions {
  /** Used if the argument is missing. A property without one is required. */
  defaultValue?: PropertyValue;
  /** Integers only, both inclusive. */
  minimum?: number;
  maximum?: number;
}

/** One argument of a tool. */
export class Property {
  readonly name: string;
  readonly type: PropertyType;
  readonly defaultValue: PropertyValue | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;

  /**
   * @throws {TypeError} If the parts contradict one another or an option does not exist. The message names the
   * property.
   */
  constructor(name: string, type: PropertyType, options: PropertyOptions = {}) {
    checkOptions(`Property "${name}"`, options, { defaultValue: true, minimum: true, maximum: true });
    const { defaultValue, minimum, maximum } = options;
    if (name === '') throw new TypeError('A property needs a name.');
    if (!Object.values(PropertyType).includes(type))
      throw new TypeError(`Property "${name}": the type must be boolean, integer or string; it is ${String(type)}.`);
    if (type !== PropertyType.INTEGER && (minimum !== undefined || maximum !== undefined))
      throw new TypeError(`Property "${name}": only an integer has a minimum or maximum.`);
    for (const limit of [minimum, maximum])
      if (limit !== undefined && !Number.isSafeInteger(limit))
        throw new TypeError(`Property "${name}": minimum and maximum must be whole numbers; one is ${limit}.`);
    if (minimum !== undefined && maximum !== undefined && minimum > maximum)
      throw new TypeError(`Property "${name}": the minimum ${minimum} is above the maximum ${maximum}.`);
    this.name = name;
    this.type = type;
    this.defaultValue = defaultValue;
    this.minimum = minimum;
    this.maximum = maximum;
    if (defaultValue === undefined) return;
    const problem = isOfType(type, defaultValue) ? this.rangeProblem(defaultValue) : `it must be of type ${type}`;
    if (problem !== undefined)
      throw new TypeError(`Property "${name}": the default ${defaultValue} is wrong: ${problem}.`);
  }

  /** Whether a call must include it. */
  get required(): boolean {
    return this.defaultValue === undefined;
  }

  /** Why an integer is out of range, undefined if it is not. */
  rangeProblem(value: PropertyValue): string | undefined {
    if (typeof value !== 'number') return undefined;
    if (this.minimum !== undefined && value < this.minimum) return `${value} is below the minimum ${this.minimum}`;
    if (this.maximum !== undefined && value > this.maximum) return `${value} is above the maximum ${this.maximum}`;
    return undefined;
  }

  /** Its JSON Schema; the keys in the order of both real clients. */
  toJson(): { [key: string]: PropertyValue } {
    return {
      type: this.type,
      ...(this.defaultValue === undefined ? {} : { default: this.defaultValue }),
      ...(this.minimum === undefined ? {} : { minimum: this.minimum }),
      ...(this.maximum === undefined ? {} : { maximum: this.maximum }),
    };
  }
}

/** Whether a value is of a property's type. Integers are exact: beyond 2^53 a number is not what was sent. */
export function isOfType(type: PropertyType, value: unknown): value is PropertyValue {
  if (type === PropertyType.INTEGER) return Number.isSafeInteger(value);
  return typeof value === type;
}
