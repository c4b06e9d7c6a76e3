import type { SavedCall } from './format.ts';
import { pathProblem } from './jsonPath.ts';

/** The first JSON path of a saved call that is none: its field, and what is wrong and what would be right. */
export function wrongPath({
  assertions = [],
  extract = {},
}: Pick<SavedCall, 'assertions' | 'extract'>): { field: string; message: string } | undefined {
  const paths = [
    ...assertions.map((each, at) => ({
      field: `assertions.${at}.path`,
      path: each.check === 'path' ? each.path : '$',
    })),
    ...Object.entries(extract).map(([name, path]) => ({ field: `extract.${name}`, path })),
  ];
  for (const { field, path } of paths) {
    const problem = pathProblem(path);
    if (problem === undefined) continue;
    return { field, message: `${field}: "${path}" is not a JSON path: ${problem}. Write one such as $.items[0].name.` };
  }
  return undefined;
}
