import type { JsonObject } from '../../base/json.ts';
import type { Property } from './property.ts';

/** The arguments of a tool, in their order. */
export class PropertyList implements Iterable<Property> {
  readonly #properties: readonly Property[];

  /** @throws {TypeError} If two have the same name. */
  constructor(properties: readonly Property[] = []) {
    const names = new Set<string>();
    for (const { name } of properties) {
      if (names.has(name)) throw new TypeError(`Two properties are named "${name}".`);
      names.add(name);
    }
    this.#properties = [...properties];
  }

  [Symbol.iterator](): Iterator<Property> {
    return this.#properties[Symbol.iterator]();
  }

  /** Names of those without a default. */
  getRequired(): string[] {
    return this.#properties.filter(({ required }) => required).map(({ name }) => name);
  }

  /** Each property's JSON Schema by its name. */
  toJson(): JsonObject {
    return Object.fromEntries(this.#properties.map((property) => [property.name, property.toJson()]));
  }
}
