import type { ToolErrorCode, ToolExecutionResult } from '../../../../src-core/api/types.ts';
import { formatBytes } from '../../../format/formatBytes.ts';
import { formatDuration } from '../../../format/formatDuration.ts';
import { t, type MessageKey } from '../../../i18n/index.ts';

/** An error in its three parts: what happened, why as far as known, what to do next. */
export interface Explanation {
  title: string;
  /** What happened, with the names and figures of this call. */
  text: string;
  causes: string[];
  /** A remark under the actions. */
  note: string;
}

const causesOf: Partial<Record<ToolErrorCode, MessageKey[]>> = {
  timeout: ['executor.error.cause.slow', 'executor.error.cause.busy', 'executor.error.cause.lost'],
  disconnected: ['executor.error.cause.restart', 'executor.error.cause.dropped', 'executor.error.cause.wifi'],
  'protocol-error': ['executor.error.cause.version', 'executor.error.cause.changed'],
};

/** Words an error result for the pane. Causes that only a wire has are kept from tools without one. */
export function explainError(result: ToolExecutionResult, fromDevice: boolean): Explanation {
  const code = result.error?.code ?? 'tool-error';
  return {
    title: t(`errors.what.${code}`),
    text: accountOf(result),
    causes: fromDevice ? (causesOf[code] ?? []).map((key) => t(key)) : [],
    note: code === 'disconnected' && fromDevice ? t('executor.error.boards') : t(`errors.next.${code}`),
  };
}

/** In the window's language where the figures are known, else in the engine's own words. */
function accountOf({ error, result }: ToolExecutionResult): string {
  const facts = new Map(Object.entries(error?.details ?? {}));
  const number = (key: string): number | undefined => {
    const value = facts.get(key);
    return typeof value === 'number' ? value : undefined;
  };
  const [elapsedMs, timeoutMs, bytes, limit] = ['elapsedMs', 'timeoutMs', 'bytes', 'limit'].map(number);
  const device = facts.get('device');
  if (error?.code === 'disconnected' && typeof device === 'string' && elapsedMs !== undefined) {
    const named = { device, code: number('code') ?? '?', id: number('requestId') ?? '?' };
    return t('executor.error.text.disconnected', { ...named, elapsed: formatDuration(elapsedMs) });
  }
  if (error?.code === 'timeout' && timeoutMs !== undefined) {
    return t('executor.error.text.timeout', { time: formatDuration(timeoutMs) });
  }
  if (error?.code === 'result-too-large' && bytes !== undefined && limit !== undefined) {
    return t('executor.error.text.tooLarge', { size: formatBytes(bytes), limit: formatBytes(limit) });
  }
  return error?.message ?? result;
}
