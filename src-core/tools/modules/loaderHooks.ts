import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isTypeScript, type TypeScript } from './typeScript.ts';

/**
 * Teaches this thread's loader the modules folder: `.ts` is TypeScript, `.js` is an ES module. The same in Node and in
 * Electron. Packages under node_modules keep Node's own rules.
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
        const source = typeScript.toJavaScript(readFileSync(file, 'utf8'), file);
        return { format: 'module', source, shortCircuit: true };
      }
      return nextLoad(url, ours && file.endsWith('.js') ? { ...context, format: 'module' } : context);
    },
  });
}
