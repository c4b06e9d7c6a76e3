import { ToolError } from '../base/errors.ts';
import type { ToolConsumer } from '../base/toolTypes.ts';
import { isOfferedTo } from '../registry/isOfferedTo.ts';
import type { ToolTarget } from '../registry/toolIndex.ts';

/** Throws a `ToolError` if the caller is not offered the method: `tool-withheld` if it will be once its change is accepted. */
export function requireOffered(target: ToolTarget, shownName: string, consumer: ToolConsumer | undefined): void {
  const { method, registry } = target;
  if (isOfferedTo(method, consumer)) return;
  if (consumer !== undefined && method.withheldFrom?.includes(consumer) === true) throw withheldError(shownName);
  throw new ToolError(
    'not-agent-callable',
    refusal(target, shownName),
    // By the kind, the window names the pane in which the method can be offered.
    { details: { kind: registry.source.kind } },
  );
}

function refusal({ method, registry }: ToolTarget, name: string): string {
  if (!method.agentCallable) return `"${name}" may be called by the user only.`;
  return registry.source.kind === 'gateway'
    ? `"${name}" is not offered to this caller. Offer it in the settings of the gateway, or call it yourself.`
    : `"${name}" is not offered to this caller. Offer it in Servers, or call it yourself.`;
}

export function withheldError(shownName: string): ToolError {
  return new ToolError('tool-withheld', `"${shownName}" is withheld until the user accepts its definition in Servers.`);
}
