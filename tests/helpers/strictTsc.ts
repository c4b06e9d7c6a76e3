import { resolve } from 'node:path';

/** Arguments for Node that compile files as a strict project of a user would, without output and colours. */
export const strictTsc = [
  resolve('node_modules/typescript-native/bin/tsc'),
  ...['--strict', '--pretty', 'false', '--noEmit'],
  ...['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024', '--types', 'node'],
];
