import type { ToolExecutionResult } from '../../../src-core/api/types.ts';
import { t } from '../../i18n/index.ts';
import { hasOtherBlocks } from './rawAnswer.ts';

/** A way to look at an answer. */
export type ResultView = 'tree' | 'table' | 'structured' | 'content' | 'raw';

/** What an answer can be looked at as. `isText`: it is not valid JSON, so that its tree and its text are one thing, and its raw form where it has no more. */
export function resultTabs(
  { content = [], structuredContent }: Pick<ToolExecutionResult, 'content' | 'structuredContent'>,
  { isText, hasTable }: { isText: boolean; hasTable: boolean },
): { value: ResultView; label: string; count?: number }[] {
  return [
    { value: 'tree', label: t(isText ? 'executor.data.text' : 'executor.result.tree') },
    ...(hasTable ? [{ value: 'table' as const, label: t('executor.table.title') }] : []),
    ...(structuredContent === undefined ? [] : [{ value: 'structured' as const, label: t('executor.data.tab') }]),
    ...(content.length === 0
      ? []
      : [{ value: 'content' as const, label: t('executor.result.content'), count: content.length }]),
    ...(isText && !hasOtherBlocks({ content }) ? [] : [{ value: 'raw' as const, label: t('executor.result.raw') }]),
  ];
}
