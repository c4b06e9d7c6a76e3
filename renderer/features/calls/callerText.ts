import type { CallRecord } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { visibleText } from '../../ui/format/visibleText.ts';

/** Who made a call, with the name of an MCP host, of the server of an App, or of another node; undefined if it was the user in the Executor. */
export function callerText({ origin, host }: Pick<CallRecord, 'origin' | 'host'>): string | undefined {
  if (origin === 'executor') return undefined;
  if (host === undefined) return t(`executor.history.from.${origin}`);
  const name = visibleText(host);
  return origin === 'app'
    ? t('executor.history.fromApp', { server: name })
    : t('executor.history.fromHost', { host: name });
}
