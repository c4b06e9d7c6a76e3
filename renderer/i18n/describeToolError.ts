import type { ToolErrorInfo } from '../../src-core/api/types.ts';
import { en } from './en/index.ts';
import { t, type Messages } from './index.ts';

/** An error in the three parts a person needs. */
export interface ErrorWords {
  /** What happened, a few words. */
  what: string;
  /** Why, as far as is known: the engine's own account where it knows more than the code says. */
  why: string;
  /** What to do next. */
  next: string;
}

type KnownCode = keyof Messages['errors']['what'];
type ReasonedCode = keyof Messages['errors']['why'];

const isKnown = (code: string): code is KnownCode => Object.hasOwn(en.errors.what, code);
const isReasoned = (code: string): code is ReasonedCode => Object.hasOwn(en.errors.why, code);

/** Words a tool error in the window's language, by its code. A code of a newer engine keeps the engine's own message. */
export function describeToolError(info: ToolErrorInfo): ErrorWords {
  const code: string = info.code;
  if (!isKnown(code)) return { what: info.message, why: '', next: '' };
  const why = isReasoned(code) ? t(`errors.why.${code}`) : info.message;
  return { what: t(`errors.what.${code}`), why, next: t(`errors.next.${code}`) };
}
