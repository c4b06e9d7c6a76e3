import type { CallRecord } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { visibleText } from '../../ui/format/visibleText.ts';

/** Who made a call, with the name of an MCP host or of the server of an App; undefined if it was the user in the Executor. */
export function callerText({ origin, host }: Pick<CallRecord, 'origin' | 'host'>): string | undefined {
  if (origin === 'executor') return undefined;
  if (origin === 'host' && host !== undefined) return t('executor.history.fromHost', { host: visibleText(host) });
  if (origin === 'app' && host !== undefined) return t('executor.history.fromApp', { server: visibleText(host) });
  return t(`executor.history.from.${origin}`);
}
