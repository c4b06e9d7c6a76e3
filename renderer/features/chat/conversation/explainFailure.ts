import type { ChatFailure, ChatModelErrorCode } from '../../../../src-core/contract/types.ts';
import { wordEngine } from '../../../i18n/engine/wordEngine.ts';
import { t } from '../../../i18n/index.ts';
import { explainModelError } from '../../models/explainModelError.ts';

/** A failed step explained in three parts. */
export interface FailureWords {
  what: string;
  /** Empty if nothing more is known. */
  why: string;
  next: string;
}

const modelCodes: ReadonlySet<string> = new Set<ChatModelErrorCode>([
  'cancelled',
  'timeout',
  'unreachable',
  'http',
  'answer',
  'too-large',
  'stream',
  'script',
]);
const isModelCode = (code: string): code is ChatModelErrorCode => modelCodes.has(code);

/** Explains why a step failed: the model's failure by its code and details, our own by the engine's message. */
export function explainFailure({ code, message, details = {} }: ChatFailure): FailureWords {
  if (!isModelCode(code)) {
    const known = code === 'model' ? 'model' : 'internal';
    return { what: t(`chat.stop.error.${known}`), why: wordEngine(message), next: t(`chat.stop.error.${known}Next`) };
  }
  const { what, more } = explainModelError({ code, message, details });
  return { what, why: more, next: t('chat.stop.error.next') };
}
