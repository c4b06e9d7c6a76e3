import type { Client } from '../../../../src-core/rpc/client.ts';
import type { FrameRow } from '../../../../src-core/contract/types.ts';
import { t } from '../../../i18n/index.ts';
import { logSource, type LogSource } from '../../log/logSource.ts';
import type { ConversationSource } from '../useConversation.ts';

/** The events of the wire of a conversation, or of an imported one. */
export function eventLogSource(client: Client, source: ConversationSource): LogSource {
  const name = 'id' in source ? { source: 'realtime' as const, connection: source.id } : source;
  return logSource(client, name, { layOut });
}

/** Notes are shown as transcript and timeline. An event is described by the id of its item, or else of its response. */
function layOut<Row extends FrameRow>(row: Row): Row | undefined {
  if (row.kind !== 'text') return undefined;
  const isUnknown = row.failed === true && row.type !== 'invalid';
  const id = row.summary || (row.method ?? '');
  const summary = [isUnknown ? t('realtime.events.unknown') : '', id].filter(Boolean).join(' · ');
  return { ...row, summary, failed: row.failed === true && !isUnknown };
}
