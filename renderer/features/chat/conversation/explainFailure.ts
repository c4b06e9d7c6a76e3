import type { ChatFailure, ChatModelErrorCode } from '../../../../src-core/contract/types.ts';
import { wordEngine } from '../../../i18n/engine/wordEngine.ts';
import { t } from '../../../i18n/index.ts';
import { explainModelError } from '../../models/explainModelError.ts';

/** A failed step in three parts. */
export interface FailureWords {
  what: string;
  /** Empty where nothing more is known. */
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

/** Words why a step failed: the model's failure by its code and facts, ours with what the engine says. */
export function explainFailure({ code, message, details = {} }: ChatFailure): FailureWords {
  if (!isModelCode(code)) {
    const known = code === 'model' ? 'model' : 'internal';
    return { what: t(`chat.stop.error.${known}`), why: wordEngine(message), next: t(`chat.stop.error.${known}Next`) };
  }
  const { what, more } = explainModelError({ code, message, details });
  return { what, why: more, next: t('chat.stop.error.next') };
}
