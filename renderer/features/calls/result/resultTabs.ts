import type { ToolExecutionResult } from '../../../../src-core/contract/types.ts';
import { t } from '../../../i18n/index.ts';
import { hasOtherBlocks } from './rawAnswer.ts';

/** A way to look at an answer. */
export type ResultView = 'tree' | 'table' | 'structured' | 'content' | 'raw' | 'app' | 'error';

/**
 * The views that an answer has. `hasApp`: an MCP App shows it, in the first view. `hasError`: the first view explains why the call
 * failed, the others show what its tool returned, if it did. `isText` is set if the answer is not valid JSON; its tree view then shows the text.
 */
export function resultTabs(
  { content = [], structuredContent }: Pick<ToolExecutionResult, 'content' | 'structuredContent'>,
  options: { isText: boolean; hasTable: boolean; hasApp?: boolean; hasError?: boolean },
): { value: ResultView; label: string; count?: number }[] {
  const { isText, hasTable, hasApp = false, hasError = false } = options;
  const error = { value: 'error' as const, label: t('executor.result.error') };
  if (hasError && content.length === 0 && structuredContent === undefined) return [error];
  return [
    ...(hasError ? [error] : []),
    ...(hasApp ? [{ value: 'app' as const, label: t('executor.result.app') }] : []),
    { value: 'tree', label: t(isText ? 'executor.data.text' : 'executor.result.tree') },
    ...(hasTable ? [{ value: 'table' as const, label: t('executor.table.title') }] : []),
    ...(structuredContent === undefined ? [] : [{ value: 'structured' as const, label: t('executor.data.tab') }]),
    ...(content.length === 0
      ? []
      : [{ value: 'content' as const, label: t('executor.result.content'), count: content.length }]),
    ...(isText && !hasOtherBlocks({ content }) ? [] : [{ value: 'raw' as const, label: t('executor.result.raw') }]),
  ];
}
