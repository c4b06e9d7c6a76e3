import { wordEngine } from '../../i18n/engine/wordEngine.ts';

/** An error of a module in the window's language. Its code is in backticks, which this text has no use for. */
export const wordError = (error: string): string => wordEngine(error).replaceAll('`', '');

/** What is wrong with a method, without its place and name: the card shows the name, the title all of it. */
export function causeOf(error: string, name: string): string {
  const text = wordError(error);
  const at = Math.max(text.indexOf(`"${name}"`), text.indexOf(`“${name}”`));
  // In Chinese, a particle joins the name to what is said of it.
  return at < 0 ? text : text.slice(at + name.length + 2).replace(/^[\s:：]*(?:的 ?|中(?=有))?/, '');
}
