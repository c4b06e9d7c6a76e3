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
  const lost: string[] = [];
  for (const method of given.methods as unknown[]) {
    // The first of two methods with one name is the one that a call by that name reaches.
    if (isMethod(method) && !methods.has(method.name)) methods.set(method.name, method);
    else lost.push(nameOf(method));
  }
  const names = [...lost.slice(0, 5), ...(lost.length > 5 ? ['…'] : [])].join(', ');
  const problems = [
    given.error,
    lost.length > 0
      ? `${lost.length} of ${given.methods.length} methods have no usable name or a name used twice: ${names}.`
      : undefined,
  ].filter((problem) => problem !== undefined);
  return { methods: [...methods.values()], ...(problems.length > 0 && { error: problems.join(' ') }) };
}

/** The name of a method that cannot be used, as JSON; whatever else is there, shortened. */
function nameOf(method: unknown): string {
  const name = typeof method === 'object' && method !== null && 'name' in method ? method.name : method;
  return (JSON.stringify(name) ?? 'undefined').slice(0, 80);
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
