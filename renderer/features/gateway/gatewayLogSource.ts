import type { Client } from '../../../src-core/rpc/client.ts';
import type { FrameRow, LogName } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { clientName } from '../../ui/format/sourceName.ts';
import { logSource, type FrameViews, type LogSource } from '../log/logSource.ts';
import { wordSummary } from '../log/wordSummary.ts';
import TurnFrame from './detail/TurnFrame.vue';
import { wordOutcome } from './detail/wordOutcome.ts';

/** What shows the frames of the gateway's log that are not messages. */
export const turnViews: FrameViews = { turn: TurnFrame };

/** The messages of one connection of the gateway, also of one that has left, of all of them, or of an imported log. */
export function gatewayLogSource(client: Client, name: LogName = { source: 'gateway' }): LogSource {
  const ofAll = name.connection === undefined;
  return logSource(client, name, { layOut: (row) => laidOut(row, ofAll) });
}

/** The type has a separate column; a callback and its result are a pair; among all, the client is named first. */
function laidOut<Row extends FrameRow>(row: Row, ofAll: boolean): Row {
  const { kind, type, summary, connection } = row;
  const rest = summary.startsWith(`${type} `) ? summary.slice(type.length + 1) : summary === type ? '' : summary;
  const said = (): string => {
    if (kind === 'open') return t('gateway.detail.opened', { remote: rest.replace(/^from /, '') });
    return type === 'turn' ? wordOutcome(rest) : wordSummary({ ...row, summary: rest });
  };
  const role = type === 'tool_callback' ? 'request' : type === 'tool_result' ? 'answer' : undefined;
  return {
    ...row,
    // Read when it is shown: the language of the window may change.
    get summary() {
      return ofAll ? [clientName(connection), said()].filter(Boolean).join(' · ') : said();
    },
    ...(role !== undefined && { role }),
  };
}
