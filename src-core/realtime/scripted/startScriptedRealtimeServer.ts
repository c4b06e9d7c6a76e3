import type { WebSocket } from 'ws';
import { createListener } from '../../server/createListener.ts';
import { hostPolicy, originPolicy } from '../../server/policies.ts';
import { systemClock } from '../../base/clock.ts';
import { connectScripted } from './connectScripted.ts';
import { defaultRealtimeScript, defaultRealtimeScriptChinese } from './defaultRealtimeScript.ts';
import type { ScriptedDialect } from './dialect.ts';
import { openAiBetaDialect, qwenDialect } from './flatDialects.ts';
import { openAiDialect } from './openAiDialect.ts';
import { betaHeaderPolicy, keyPolicy } from './scriptedPolicies.ts';
import type { ScriptedRealtimeServer, ScriptedRealtimeServerOptions } from './scriptedServerOptions.ts';
import type { SharedTurns } from './scriptTurns.ts';

const path = '/v1/realtime';
const maxConnections = 32;
/** Bytes of one event: what OpenAI takes, 15 MiB of sound in base64, fits. */
const maxPayload = 21 * 1024 * 1024;
const maxReceived = 10_000;

const dialects: Record<ScriptedDialect['name'], { dialect: ScriptedDialect; model: string }> = {
  openai: { dialect: openAiDialect, model: 'gpt-realtime' },
  'openai-beta': { dialect: openAiBetaDialect, model: 'gpt-4o-realtime-preview' },
  qwen: { dialect: qwenDialect, model: 'qwen3.5-omni-plus-realtime' },
};

/**
 * Starts a realtime model server on this machine that speaks a vendor's protocol and says what its script says
 * (spec/realtime.md): the default model of the Realtime pane, which therefore works offline, and the test server of
 * providers.
 * @throws {ListenError} If the port is taken.
 */
export async function startScriptedRealtimeServer(
  options: ScriptedRealtimeServerOptions,
): Promise<ScriptedRealtimeServer> {
  const { script, key, port = 0, paceMs, clock = systemClock, onError = () => {} } = options;
  const { dialect, model: defaultModel } = dialects[options.dialect];
  const received: ScriptedRealtimeServer['received'] = [];
  const shared: SharedTurns = { calls: new Map(), dropped: new Set() };
  const sockets = new Set<WebSocket>();
  let connections = 0;

  const listener = createListener({ port, maxConnections, onError });
  listener.upgrade({
    path,
    policies: [hostPolicy(), originPolicy(), keyPolicy(key), betaHeaderPolicy(dialect.name)],
    maxPayload,
    handle(socket, _request, url) {
      connections += 1;
      const connection = connections;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      connectScripted(socket, {
        dialect,
        model: url.searchParams.get('model')?.slice(0, 200) ?? defaultModel,
        scriptFor: (chinese) => script ?? (chinese ? defaultRealtimeScriptChinese : defaultRealtimeScript),
        shared,
        clock,
        paceMs,
        onEvent(event) {
          received.push({ connection, event });
          if (received.length > maxReceived) received.shift();
        },
      });
    },
  });
  const address = await listener.listen();
  return {
    url: `ws://${address.host}:${address.port}${path}`,
    received,
    async close() {
      for (const socket of sockets) socket.terminate();
      await listener.close();
    },
  };
}
