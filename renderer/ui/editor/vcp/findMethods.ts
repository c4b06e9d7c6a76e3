import type { VcpMethod } from './vcpContext.ts';

/** The methods that a name and an optional command may mean. Only for assistance: the engine decides. */
export function findMethods(methods: readonly VcpMethod[], name: string, command?: string): VcpMethod[] {
  const exact = methods.filter((method) => method.qualifiedName === name);
  if (exact.length > 0) return exact;
  const ofTool = methods.filter((method) => method.toolId === name);
  if (command === undefined) return ofTool;
  return ofTool.filter((method) => method.command === command || method.qualifiedName === `${name}_${command}`);
}
