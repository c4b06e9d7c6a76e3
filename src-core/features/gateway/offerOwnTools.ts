import type { MethodMetadata } from '../../base/toolTypes.ts';
import type { GatewaySettings } from '../../contract/gateway.ts';

/** The methods of the gateway or of a client of it. Only the gateway is offered them, unless the user offers them to all consumers. */
export function offerOwnTools(
  methods: readonly MethodMetadata[],
  { offerOwnTools: toAll }: Pick<GatewaySettings, 'offerOwnTools'>,
): MethodMetadata[] {
  return methods.map((method) => (toAll ? method : { ...method, consumers: ['gateway'] }));
}
