import type { MethodMetadata, ToolConsumer } from '../base/toolTypes.ts';

/**
 * Whether a consumer is offered a method and may call it. Without a consumer: whether every program that calls on behalf of a model may,
 * which excludes methods that only some consumers are offered.
 */
export function isOfferedTo(
  { agentCallable, consumers }: Pick<MethodMetadata, 'agentCallable' | 'consumers'>,
  consumer: ToolConsumer | undefined,
): boolean {
  if (!agentCallable || consumers === undefined) return agentCallable;
  return consumer !== undefined && consumers.includes(consumer);
}
