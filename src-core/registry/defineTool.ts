import { exactToBigInt } from '../base/exactNumber.ts';
import type { JsonObject } from '../base/json.ts';
import { ToolError } from '../base/errors.ts';
import type { InvokeOptions, ToolRegistry } from './types.ts';
import type { MethodMetadata, ToolSource } from '../base/toolTypes.ts';

/** A method with the function that does it. */
export interface ToolMethodDefinition extends MethodMetadata {
  /**
   * Receives converted and validated arguments; returns the value of the answer or a promise of it. An integer beyond
   * ±(2^53 - 1), which a number would round, is passed as a bigint. With an `outputSchema`, an object is the answer as
   * data, too.
   */
  handler(args: JsonObject, options: InvokeOptions): unknown;
}

/** The input of `defineToolRegistry`. */
export interface ToolRegistryDefinition {
  id: string;
  /** Display name. */
  name: string;
  description?: string;
  source: ToolSource;
  methods: ToolMethodDefinition[];
}

/**
 * Makes a registry of plain functions: the built-in tools, and those of a program that uses the engine as a library.
 * @throws {Error} If two methods have the same name.
 */
export function defineToolRegistry({ methods, ...identity }: ToolRegistryDefinition): ToolRegistry {
  const byName = new Map<string, Pick<ToolMethodDefinition, 'handler' | 'outputSchema'>>();
  const metadata = methods.map(({ handler, ...method }): MethodMetadata => {
    if (byName.has(method.name)) throw new Error(`The tool "${identity.id}" has two methods named "${method.name}".`);
    byName.set(method.name, { handler, ...(method.outputSchema && { outputSchema: method.outputSchema }) });
    return method;
  });
  return {
    ...identity,
    getMetadata: () => ({ methods: metadata }),
    async invoke(methodName, args, options) {
      const method = byName.get(methodName);
      if (method === undefined)
        throw new ToolError('unknown-method', `The tool "${identity.id}" has no method "${methodName}".`);
      options.signal.throwIfAborted();
      const value = await method.handler(exactToBigInt(args), options);
      const isData = method.outputSchema !== undefined && typeof value === 'object' && !Array.isArray(value);
      return { value, ...(isData && value !== null && { structuredContent: value }) };
    },
  };
}
