import { registerHooks } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { checkFileSize, readTextFile } from '../../base/readTextFile.ts';
import { isTypeScript, type TypeScript } from './typeScript.ts';

/** Bytes of a source file of the folder: removing the types of 4 MB takes as long as a module may take to load. */
export const maxSourceBytes = 4 * 1024 * 1024;
/** Bytes of any other file that a module imports, such as one of a package. The compiler of TypeScript has 9 MB. */
const maxPackageFileBytes = 32 * 1024 * 1024;

/**
 * Teaches this thread's loader the modules folder: `.ts` is TypeScript, `.js` is an ES module. The same in Node and in
 * Electron. Packages under node_modules keep Node's own rules. A file over its limit is refused with a `RefusedFileError`.
 */
export function installLoaderHooks(options: {
  folder: string;
  typeScript: TypeScript | undefined;
  /** Told of each file of the folder that takes part. */
  onImport(file: string): void;
}): void {
  const { folder, typeScript, onImport } = options;
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith('file:')) return nextLoad(url, context);
      const file = fileURLToPath(url);
      const ours = file.startsWith(folder + sep) && !file.includes(`${sep}node_modules${sep}`);
      if (ours) onImport(file);
      if (typeScript && isTypeScript(file)) {
        const source = typeScript.toJavaScript(readTextFile(file, maxSourceBytes), file);
        return { format: 'module', source, shortCircuit: true };
      }
      checkFileSize(file, ours ? maxSourceBytes : maxPackageFileBytes);
      return nextLoad(url, ours && file.endsWith('.js') ? { ...context, format: 'module' } : context);
    },
  });
}
