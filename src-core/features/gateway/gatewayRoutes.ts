import { hostPolicy, originPolicy, refusalOf } from '../../server/policies.ts';
import { respond, respondText } from '../../server/respond.ts';
import type { Listener, RequestPolicy, UpgradeRoute } from '../../server/types.ts';
import type { GatewaySettings } from '../../contract/gateway.ts';
import { testPage } from './testPage.ts';

/** Bytes of one message (docs/protocols/gateway.md#limits): a longer one closes the connection with 1009. */
const maxMessageBytes = 1024 * 1024;

/** The listener of the gateway's routes, and the callbacks for clients. */
export interface GatewayRoutesOptions {
  listener: Pick<Listener, 'route' | 'upgrade'>;
  settings: () => GatewaySettings;
  connect: UpgradeRoute['handle'];
  /** A web page was refused for its origin. */
  onRefusedPage: (origin: string) => void;
  /** Serves the test client at `/`, which may connect. */
  servesTestPage: boolean;
}

/** Adds the gateway's routes: WebSockets on every path. Returns what removes them. */
export function gatewayRoutes({
  listener,
  settings,
  connect,
  onRefusedPage,
  servesTestPage,
}: GatewayRoutesOptions): () => void {
  const removeUpgrade = listener.upgrade({
    path: '/*',
    policies: [browserPolicy({ settings, onRefusedPage, servesTestPage })],
    maxPayload: maxMessageBytes,
    handle: connect,
  });
  const removePage = listener.route({
    methods: ['GET'],
    path: '/*',
    handle: ({ request, response }) => {
      const { accept = '' } = request.headers;
      if (servesTestPage && accept.includes('text/html')) {
        return respond(response, { status: 200, ...testPage });
      }
      return respondText(response, 426, 'This is an LLM gateway. It speaks WebSocket: connect with ws://.', {
        Upgrade: 'websocket',
      });
    },
  });
  return () => {
    removeUpgrade();
    removePage();
  };
}

/**
 * Refuses web pages that are not listed, and those that reach this machine by their own host name (DNS rebinding). Only
 * browsers send an origin; devices and programs may use any name for this machine.
 */
function browserPolicy({
  settings,
  onRefusedPage,
  servesTestPage,
}: Pick<GatewayRoutesOptions, 'settings' | 'onRefusedPage' | 'servesTestPage'>): RequestPolicy {
  const allowed = (): string[] => allowedOrigins(settings());
  const names = (): string[] => allowed().flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : []));
  const host = hostPolicy({ names });
  const ownAddress = hostPolicy();
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || allowed().includes('*')) return undefined;
    // Our own page, reached by an address: a host name could be a foreign one that resolves to this machine.
    const isOwnPage = servesTestPage && origin === `http://${request.headers.host ?? ''}`;
    if (isOwnPage && ownAddress(request) === undefined) return undefined;
    const refusal = refusalOf([originPolicy({ allowed })], request);
    if (refusal !== undefined) onRefusedPage(origin);
    return refusal ?? refusalOf([host], request);
  };
}

/** The origins that may connect; `*` allows all. */
export function allowedOrigins({ allowedOrigins: list }: Pick<GatewaySettings, 'allowedOrigins'>): string[] {
  return list.split(',').filter((origin) => origin !== '');
}
