import type { CaptureInfo, GatewayConnectionInfo, GatewaySessionInfo } from '../../../../src-core/contract/types.ts';
import { type ListHeading, type ListNote } from '../../../ui/MasterList.vue';
import { t } from '../../../i18n/index.ts';

/** A row of the list. `key` is what is chosen: `all`, `connection:<id>`, `session:<id>`, `capture:<id>`. */
export type GatewayRow =
  | { kind: 'all'; key: 'all' }
  | ListHeading
  | ListNote
  | { kind: 'connection'; key: string; connection: GatewayConnectionInfo; gone: boolean }
  | { kind: 'session'; key: string; session: GatewaySessionInfo }
  | { kind: 'capture'; key: string; capture: CaptureInfo };

/** All messages, the clients that are here, those that left, and the sessions, the last active first. */
export function gatewayRows(of: {
  connections: readonly GatewayConnectionInfo[];
  left: readonly GatewayConnectionInfo[];
  sessions: readonly GatewaySessionInfo[];
  captures: readonly CaptureInfo[];
}): GatewayRow[] {
  const heading = (group: 'clients' | 'left' | 'sessions' | 'captures', count: number): GatewayRow => ({
    kind: 'heading',
    key: `heading:${group}`,
    title: t(`gateway.list.${group}`),
    count,
  });
  const none = (group: string, text: string): GatewayRow => ({ kind: 'note', key: `none:${group}`, text });
  const clients = (all: readonly GatewayConnectionInfo[], gone: boolean): GatewayRow[] =>
    all.map((connection) => ({ kind: 'connection', key: `connection:${connection.id}`, connection, gone }));
  const sessions = [...of.sessions]
    .sort((a, b) => b.startedAt - a.startedAt)
    .map((session): GatewayRow => ({ kind: 'session', key: `session:${session.id}`, session }));
  return [
    { kind: 'all', key: 'all' },
    heading('clients', of.connections.length),
    ...(of.connections.length === 0 ? [none('clients', t('gateway.list.noClients'))] : clients(of.connections, false)),
    ...(of.left.length === 0 ? [] : [heading('left', of.left.length), ...clients(of.left, true)]),
    heading('sessions', sessions.length),
    ...(sessions.length === 0 ? [none('sessions', t('gateway.list.noSessions'))] : sessions),
    ...(of.captures.length === 0 ? [] : [heading('captures', of.captures.length)]),
    ...of.captures.map((capture): GatewayRow => ({ kind: 'capture', key: `capture:${capture.id}`, capture })),
  ];
}

/** What a client is at, by its turns that run and wait. */
export function connectionState(turns: number, gone: boolean): { kind: 'plain' | 'pending' | 'ok'; word: string } {
  if (gone) return { kind: 'plain', word: t('gateway.list.gone') };
  if (turns === 0) return { kind: 'ok', word: t('gateway.list.idle') };
  const waiting = turns > 1 ? [t('gateway.list.waiting', { n: turns - 1 })] : [];
  return { kind: 'pending', word: [t('gateway.list.working'), ...waiting].join(', ') };
}
