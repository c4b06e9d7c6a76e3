import { fileURLToPath } from 'node:url';

/** An absolute path in this project. */
export function projectPath(relative = '.'): string {
  return fileURLToPath(new URL(`../../${relative}`, import.meta.url));
}
