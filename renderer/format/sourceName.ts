import type { ToolSource, ToolView } from '../../src-core/api/types.ts';
import { t } from '../i18n/index.ts';

/** What people call the client of a gateway's connection: its number, as the gateway counts them. */
export function clientName(connectionId: string): string {
  const number = /^connection-(\d+)$/.exec(connectionId)?.[1];
  return number === undefined ? connectionId : t('gateway.list.client', { n: number });
}

/** What people call the source of a tool: a gateway's client by its number, any other as it names itself. */
export function sourceName({ kind, id, label }: ToolSource): string {
  return kind === 'gateway' && id.startsWith('connection-') ? clientName(id) : label;
}

/** What people call a tool. One that has no name but its source's is called as that is. */
export function toolName({ name, source }: Pick<ToolView, 'name' | 'source'>): string {
  return name === source.label ? sourceName(source) : name;
}
