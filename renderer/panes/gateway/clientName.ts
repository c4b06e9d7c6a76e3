import { t } from '../../i18n/index.ts';

/** What people call the client of a connection: its number, as the gateway counts them. */
export function clientName(connectionId: string): string {
  const number = /^connection-(\d+)$/.exec(connectionId)?.[1];
  return number === undefined ? connectionId : t('gateway.list.client', { n: number });
}
