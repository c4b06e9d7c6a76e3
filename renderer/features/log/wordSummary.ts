import type { DoctorCause } from '../../../src-core/contract/types.ts';
import { deviceDoctor } from '../../i18n/en/deviceDoctor.ts';
import { createWording } from '../../i18n/engine/createWording.ts';
import { frameTexts } from '../../i18n/engine/zh/frames.ts';
import { language, t } from '../../i18n/index.ts';
import type { FrameRow } from '../../../src-core/contract/types.ts';

const word = createWording(frameTexts);

/**
 * What a frame is, in the window's language: the engine's own sentences are translated, names and a device's words stay. The
 * reason for which Toolwire refused a connection is a sentence, with the code beside it.
 */
export function wordSummary(row: Pick<FrameRow, 'kind' | 'direction' | 'summary' | 'failed'>): string {
  const { kind, direction } = row;
  // Why a connection was closed here is in the row of our close frame.
  const isEnd = kind === 'close' && direction === 'in' && row.failed === false;
  const summary = isEnd ? row.summary.replace(/^(1006) .*/, '$1 without a close frame') : row.summary;
  const [, code = '', reason] = /^(\d+) (.+)$/.exec(kind === 'close' ? summary : '') ?? [];
  // A device cannot send 1006: it is the end of a connection that was refused here.
  const isOurs = direction === 'out' || code === '1006';
  const refusal = (Object.keys(deviceDoctor.cause) as DoctorCause[]).find((cause) => isOurs && cause === reason);
  if (refusal === 'waits-for-approval') return `${t('devices.log.notApproved')} (${code})`;
  if (refusal !== undefined) return `${t(`devices.doctor.cause.${refusal}.what`)} (${code})`;
  return language.value === 'en' ? summary : word(summary);
}
