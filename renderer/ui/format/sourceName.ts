import type { ToolSource, ToolView } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { visibleText } from './visibleText.ts';

/** What people call the client of a gateway's connection: its number, as the gateway counts them. */
export function clientName(connectionId: string): string {
  const number = /^connection-(\d+)$/.exec(connectionId)?.[1];
  return number === undefined ? connectionId : t('gateway.list.client', { n: number });
}

/**
 * The name of a tool's source: a gateway client's number, the name of the gateway's own or of a built-in tool in the window's language, else the name that
 * the source sent, hidden characters made visible.
 */
export function sourceName({ kind, id, label }: ToolSource): string {
  if (kind === 'builtin' && (id === 'clock' || id === 'directory-tree')) return t(`common.builtin.${id}`);
  if (kind === 'gateway' && id === 'server') return t('common.gatewayOwn');
  return kind === 'gateway' && id.startsWith('connection-') ? clientName(id) : visibleText(label);
}

/** A tool's name, hidden characters made visible. A tool that only has its source's name gets that of `sourceName`. */
export function toolName({ name, source }: Pick<ToolView, 'name' | 'source'>): string {
  return name === source.label ? sourceName(source) : visibleText(name);
}
