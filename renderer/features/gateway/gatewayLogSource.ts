import type { Client } from '../../../src-core/rpc/client.ts';
import type { GatewayLogFrame, GatewayLogRow } from '../../../src-core/contract/types.ts';
import { clientName } from '../../ui/format/sourceName.ts';
import type { LogFrame, LogRow, LogSource } from '../log/logSource.ts';

/** The messages of one connection of the gateway, also of one that has left, of all of them, or of an imported log. */
export function gatewayLogSource(client: Client, of: { id?: string; captureId?: string } = {}): LogSource {
  const { id, captureId } = of;
  const toRow = <T extends GatewayLogRow>(frame: T): T & Pick<LogRow, 'role'> => laidOut(frame, id === undefined);
  return {
    topic: captureId === undefined ? 'gateway' : 'captures',
    grows: captureId === undefined,
    jsonRpc: false,
    async page(part) {
      const page = await client.gateway.log({ ...of, ...part });
      return { ...page, rows: page.rows.map((row) => toRow(row)) };
    },
    frame: async (seq): Promise<LogFrame> => toRow<GatewayLogFrame>(await client.gateway.frame({ ...of, seq })),
    search: (text, options) => client.gateway.searchLog({ ...of, text }, options),
  };
}

/** The type has a column of its own; a callback and its result are a pair; among all, whose it is comes first. */
function laidOut<T extends GatewayLogRow>(frame: T, ofAll: boolean): T & Pick<LogRow, 'role'> {
  const { type, summary, deviceId } = frame;
  const said = summary.startsWith(`${type} `) ? summary.slice(type.length + 1) : summary === type ? '' : summary;
  const role = type === 'tool_callback' ? 'request' : type === 'tool_result' ? 'answer' : undefined;
  return {
    ...frame,
    summary: ofAll ? [clientName(deviceId), said].filter(Boolean).join(' · ') : said,
    ...(role !== undefined && { role }),
  };
}
