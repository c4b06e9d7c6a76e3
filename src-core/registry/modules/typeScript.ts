import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A syntax error and its position. */
export interface SyntaxFault {
  message: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

/** Converts TypeScript to JavaScript: amaro, which Node itself uses, bundled for Electron. */
export interface TypeScript {
  /**
   * JavaScript of a TypeScript source, enums and all, with its source map inside.
   * @throws SyntaxFaultError
   */
  toJavaScript(source: string, file: string): string;
  /** The first syntax error of a source, JavaScript or TypeScript. */
  findSyntaxFault(source: string): SyntaxFault | undefined;
}

/** Thrown into Node's loader in place of amaro's plain object. */
export class SyntaxFaultError extends SyntaxError {
  readonly file: string;
  readonly fault: SyntaxFault;

  constructor(file: string, fault: SyntaxFault) {
    super(fault.message);
    this.name = 'SyntaxFaultError';
    this.file = file;
    this.fault = fault;
  }
}

/** Loads amaro: 15 MB and 25 ms, so only if something needs it. */
export async function loadTypeScript(): Promise<TypeScript> {
  const { transformSync } = await import('amaro');
  return {
    toJavaScript(source, file) {
      try {
        const { code, map } = transformSync(source, { mode: 'transform', sourceMap: true, filename: file });
        const comment = map
          ? `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
          : '';
        return code + comment;
      } catch (error) {
        const fault = asFault(error);
        throw fault ? new SyntaxFaultError(file, fault) : error;
      }
    },
    findSyntaxFault(source) {
      try {
        transformSync(source, { mode: 'transform' });
        return undefined;
      } catch (error) {
        return asFault(error);
      }
    },
  };
}

/** Whether a module, or a file in its folder that it could import, is TypeScript. */
export function usesTypeScript(file: string, folder: string): boolean {
  if (isTypeScript(file)) return true;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory())
      return (
        entry.name !== 'node_modules' && !entry.name.startsWith('.') && usesTypeScript('', join(folder, entry.name))
      );
    return isTypeScript(entry.name);
  });
}

/** By the file's ending; declarations are not code. */
export function isTypeScript(file: string): boolean {
  return ['.ts', '.mts'].includes(extname(file)) && !/\.d\.m?ts$/.test(file);
}

function asFault(error: unknown): SyntaxFault | undefined {
  if (typeof error !== 'object' || error === null || !('message' in error) || !('startLine' in error)) return undefined;
  const column = 'startColumn' in error ? Number(error.startColumn) : 0;
  return { message: String(error.message), line: Number(error.startLine), column: column + 1 };
}
