import { callDanger } from '../registry/callDanger.ts';
import type { ExecutionOptions } from './executionOptions.ts';
import type { PreparedCall } from './prepareCall.ts';

/**
 * Why a call must be confirmed before it runs, in sentences: an earlier result may steer the model, the tool's source
 * says that it is dangerous, or the user's list names it. `undefined` if it need not be.
 */
export function reasonToConfirm(
  { target, converted }: Extract<PreparedCall, { error?: undefined }>,
  { suspicionOf, dangerousTools }: Pick<ExecutionOptions, 'suspicionOf' | 'dangerousTools'>,
): string | undefined {
  const { registry, method } = target;
  const suspicion = suspicionOf?.({
    toolId: registry.id,
    methodName: method.name,
    args: converted.args,
    inputSchema: method.inputSchema,
  });
  const danger = callDanger(target, dangerousTools);
  return suspicion !== undefined && danger !== undefined ? `${suspicion} ${danger}` : (suspicion ?? danger);
}
