import { expect, it } from 'vitest';

import { gatewayRows } from '../../../../renderer/features/gateway/list/listRows.ts';
import type { CaptureInfo, GatewayConnectionInfo, GatewaySessionInfo } from '../../../../src-core/contract/types.ts';

const connection = (id: string): GatewayConnectionInfo => ({
  id,
  remote: '127.0.0.1:1',
  registryId: `gateway-client-${id}`,
  tools: [],
  turns: 0,
  connectedAt: 0,
  lastSeenAt: 0,
  configuration: { temperature: 0.7, maxTokens: 1, enableContext: false },
  counters: { framesIn: 0, framesOut: 0, bytesIn: 0, bytesOut: 0 },
});
const session = (id: string, startedAt: number): GatewaySessionInfo => ({
  id,
  startedAt,
  lastActiveAt: startedAt,
  messageCount: 0,
  connections: [],
});
const keys = (of: Partial<Parameters<typeof gatewayRows>[0]>): string[] =>
  gatewayRows({ connections: [], left: [], sessions: [], captures: [], ...of }).map(({ key }) => key);

it('shows that there are no clients, without a heading for clients that left', () => {
  expect(keys({})).toEqual(['all', 'heading:clients', 'none:clients', 'heading:sessions', 'none:sessions']);
});

it('has clients as they came, then those that left, then the newest session first, so that a talking one keeps its place', () => {
  expect(
    keys({
      connections: [connection('a'), connection('b')],
      left: [connection('c')],
      sessions: [session('old', 1), session('new', 2)],
    }),
  ).toEqual([
    ...['all', 'heading:clients', 'connection:a', 'connection:b', 'heading:left', 'connection:c'],
    ...['heading:sessions', 'session:new', 'session:old'],
  ]);
});

it('has imported logs last, under a heading only if there are any', () => {
  const device = { name: 'Gateway', deviceId: 'gateway' };
  const counts = { createdAt: 0, exportedAt: 0, frames: 0, size: 0, toolCount: 0, callCount: 0 };
  const capture: CaptureInfo = { id: '7', name: 'log.jsonl', device, origin: 'gateway', ...counts };
  expect(keys({ captures: [capture] }).slice(-2)).toEqual(['heading:captures', 'capture:7']);
  expect(keys({})).not.toContain('heading:captures');
});
