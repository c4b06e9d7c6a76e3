import { wordEngine } from '../../../i18n/engine/wordEngine.ts';
import { t } from '../../../i18n/index.ts';
import type { JsonFault } from '../../../../src-core/base/locateJson.ts';

/** Describes the position at which JSON text becomes invalid. */
export function wordProblem({ what, line, column }: JsonFault): string {
  return t('executor.args.place', { line, column, what: wordEngine(what) });
}
