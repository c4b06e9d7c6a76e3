import { t } from '../../../i18n/index.ts';
import type { JsonProblem } from '../json/parseJsonText.ts';

/** Describes the position at which JSON text becomes invalid. */
export function wordProblem({ code, line, column, found }: JsonProblem): string {
  const what = t(`executor.json.${code}`, { found: found === '"' ? '"' : `“${found}”` });
  return t('executor.args.place', { line, column, what });
}
