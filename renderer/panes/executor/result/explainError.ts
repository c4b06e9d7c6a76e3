import type { ToolErrorCode, ToolExecutionResult } from '../../../../src-core/api/types.ts';
import { t, type MessageKey } from '../../../i18n/index.ts';

/** An error in its three parts: what happened, why as far as known, what to do next. */
export interface Explanation {
  title: string;
  /** The engine's own account, with the names and figures of this call. */
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
    text: result.error?.message ?? result.result,
    causes: fromDevice ? (causesOf[code] ?? []).map((key) => t(key)) : [],
    note: code === 'disconnected' && fromDevice ? t('executor.error.boards') : t(`errors.next.${code}`),
  };
}
