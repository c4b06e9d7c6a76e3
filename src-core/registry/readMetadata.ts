import { describeThrown } from '../base/describeThrown.ts';
import type { MethodMetadata } from '../base/toolTypes.ts';
import type { ToolMetadata, ToolRegistry } from './types.ts';

/**
 * A registry's self-description, made safe to use: a source that throws, or that lists something other than a method,
 * loses only that, and `error` states what.
 */
export function readMetadata(registry: ToolRegistry): ToolMetadata {
  let given: ToolMetadata;
  try {
    given = registry.getMetadata();
    if (!Array.isArray(given.methods)) throw new Error('its metadata has no list of methods');
  } catch (error) {
    return { methods: [], error: `The tool could not describe itself: ${describeThrown(error)}.` };
  }
  const methods = new Map<string, MethodMetadata>();
  for (const method of given.methods) {
    // The first of two methods with one name is the one that a call by that name reaches.
    if (isMethod(method) && !methods.has(method.name)) methods.set(method.name, method);
  }
  const lost = given.methods.length - methods.size;
  const problems = [
    given.error,
    lost > 0 ? `${lost} of ${given.methods.length} methods have no usable name or a name used twice.` : undefined,
  ].filter((problem) => problem !== undefined);
  return { methods: [...methods.values()], ...(problems.length > 0 && { error: problems.join(' ') }) };
}

function isMethod(method: unknown): method is MethodMetadata {
  return (
    typeof method === 'object' &&
    method !== null &&
    'name' in method &&
    typeof method.name === 'string' &&
    method.name !== ''
  );
}
