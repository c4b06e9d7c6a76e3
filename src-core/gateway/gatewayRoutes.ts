import { hostPolicy, originPolicy, refusalOf } from '../server/policies.ts';
import { respondText } from '../server/respond.ts';
import type { Listener, RequestPolicy, UpgradeRoute } from '../server/types.ts';
import type { GatewaySettings } from './settings.ts';

/** Bytes of one message (seed 004 §12.1): a longer one closes the connection with 1009. */
export const maxMessageBytes = 1024 * 1024;

/** Where clients come in, and who takes them. */
export interface GatewayRoutesOptions {
  listener: Pick<Listener, 'route' | 'upgrade'>;
  settings: () => GatewaySettings;
  connect: UpgradeRoute['handle'];
  /** A web page was refused for its origin. */
  onRefusedPage: (origin: string) => void;
}

/** Adds the gateway's routes: WebSockets on every path, as the seed's server has them. Gives what takes them away. */
export function gatewayRoutes({ listener, settings, connect, onRefusedPage }: GatewayRoutesOptions): () => void {
  const removeUpgrade = listener.upgrade({
    path: '/*',
    policies: [browserPolicy(settings, onRefusedPage)],
    maxPayload: maxMessageBytes,
    handle: connect,
  });
  const removePage = listener.route({
    ...{ methods: ['GET'], path: '/*' },
    handle: ({ response }) =>
      respondText(response, 426, 'This is an LLM gateway. It speaks WebSocket: connect with ws://.', {
        Upgrade: 'websocket',
      }),
  });
  return () => {
    removeUpgrade();
    removePage();
  };
}

/**
 * Keeps web pages out that are not listed, and those that reach this machine by a name of their own (DNS rebinding). Only
 * browsers say an origin; devices and programs may know this machine by any name.
 */
function browserPolicy(settings: () => GatewaySettings, onRefusedPage: (origin: string) => void): RequestPolicy {
  const allowed = (): string[] => allowedOrigins(settings());
  const names = (): string[] => allowed().flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : []));
  const host = hostPolicy({ names });
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || allowed().includes('*')) return undefined;
    const refusal = refusalOf([originPolicy({ allowed })], request);
    if (refusal !== undefined) onRefusedPage(origin);
    return refusal ?? refusalOf([host], request);
  };
}

/** The origins that may connect; `*` stands for all. */
export function allowedOrigins({ allowedOrigins: list }: Pick<GatewaySettings, 'allowedOrigins'>): string[] {
  return list.split(',').filter((origin) => origin !== '');
}
