import type { FrameFault } from '../../../src-core/contract/types.ts';
import { t, type MessageKey } from '../../i18n/index.ts';

const causesOf: Record<FrameFault, MessageKey[]> = {
  foreign: ['executor.error.cause.logOutput', 'executor.error.cause.overwritten'],
  cut: ['executor.error.cause.buffer', 'executor.error.cause.memory'],
  'not-utf8': ['executor.error.cause.halfCharacter', 'executor.error.cause.encoding'],
  malformed: ['executor.error.cause.unescaped', 'executor.error.cause.changed'],
  binary: ['executor.error.cause.binary'],
  audio: ['executor.error.cause.framing'],
};

/** What usually leads to such a frame, for the device's card and for the call that the frame answers. */
export function frameFaultCauses(fault: FrameFault): string[] {
  return causesOf[fault].map((key) => t(key));
}

export function isFrameFault(fault: unknown): fault is FrameFault {
  return typeof fault === 'string' && Object.hasOwn(causesOf, fault);
}
