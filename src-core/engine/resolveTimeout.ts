import { defaultToolCallConfig } from '../registry/calls.ts';
import type { ExecutionOptions } from './executionOptions.ts';

/**
 * ms that a method may take: its own entry in `toolTimeouts`, else `config.timeout`. What is no positive number cannot
 * be meant and gives the default.
 */
export function resolveTimeout(
  qualifiedName: string,
  { config, toolTimeouts }: Pick<ExecutionOptions, 'config' | 'toolTimeouts'>,
): number {
  const own =
    toolTimeouts !== undefined && Object.hasOwn(toolTimeouts, qualifiedName) ? toolTimeouts[qualifiedName] : undefined;
  const timeout = own ?? config?.timeout ?? defaultToolCallConfig.timeout;
  return timeout > 0 ? timeout : defaultToolCallConfig.timeout;
}
