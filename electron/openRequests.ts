import { resolve } from 'node:path';

import { linkScheme } from './deepLink.ts';

/** Something the system wants shown: a `toolwire:` link as it came, or the whole path of a file or folder. */
export type OpenRequest = { link: string } | { path: string };

/** Requests of one start; the user who marks a hundred files gets the first ones. */
const maxRequests = 16;

/**
 * What a command line of the app asks for, as the system writes it on Windows and Linux. Switches are Chromium's; they are
 * no requests wherever they stand. Not packaged, Electron's own first argument is the project.
 */
export function openRequests(argv: readonly string[], options: { cwd: string; packaged: boolean }): OpenRequest[] {
  return argv
    .slice(1)
    .filter((word) => word !== '' && !word.startsWith('-'))
    .slice(options.packaged ? 0 : 1)
    .slice(0, maxRequests)
    .map((word) => (isLink(word) ? { link: word } : { path: resolve(options.cwd, word) }));
}

/** The command line without the program, with absolute paths: for a process with another current folder. */
export function absoluteArguments(argv: readonly string[], cwd: string): string[] {
  return argv.slice(1).map((word) => (word === '' || word.startsWith('-') || isLink(word) ? word : resolve(cwd, word)));
}

function isLink(word: string): boolean {
  return word.toLowerCase().startsWith(`${linkScheme}:`);
}
