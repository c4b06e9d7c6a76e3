import { isSpace } from '../characters.ts';
import type { Machine } from './machine.ts';

/** Whether only what may separate two fields is between two offsets: white space, commas, semicolons, bullets, quote signs. */
export function onlySeparators(machine: Machine, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = machine.window.codeAt(at);
    // comma, semicolon, their full-width forms, bullets, quote sign
    const separator =
      code === 0x2c ||
      code === 0xff0c ||
      code === 0x3b ||
      code === 0xff1b ||
      code === 0x2d ||
      code === 0x2a ||
      code === 0x3e;
    if (!separator && !isSpace(code)) return false;
  }
  return true;
}
