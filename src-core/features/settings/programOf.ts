import { isExactNumber } from '../../base/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';

/** A call as a program of `toolwire/core` (docs/core.md), its arguments exactly as they are. */
export function programOf(toolName: string, args: JsonObject): string {
  return [
    "import { createToolRegistryManager, executeSingleRequest } from 'toolwire/core';",
    '',
    'const toolRegistryManager = createToolRegistryManager();',
    '// Register the tools that you call here: toolRegistryManager.register(…)',
    '',
    'const result = await executeSingleRequest(',
    `  { toolName: ${JSON.stringify(toolName)}, args: ${literal(args, '  ')} },`,
    "  { toolRegistryManager, caller: 'user' },",
    ');',
    'console.log(result.status, result.result);',
    '',
  ].join('\n');
}

/** A value as JavaScript writes it; `indent` is that of the line it stands on. */
function literal(value: JsonValue, indent: string): string {
  // A number literal would be rounded.
  if (isExactNumber(value)) return `JSON.rawJSON('${JSON.stringify(value)}')`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${literal(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** In a literal a plain `__proto__` would be the prototype, no member. */
function keyOf(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key);
}
