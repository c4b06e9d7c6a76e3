import type { CaptureInfo } from '../../../../src-core/api/types.ts';
import { formatBytes } from '../../../format/formatBytes.ts';
import { formatCount } from '../../../format/formatCount.ts';
import { t } from '../../../i18n/index.ts';

/** How much an imported log holds, and when it was exported. */
export function captureFacts({ frames, callCount, size, exportedAt }: CaptureInfo): string {
  return [
    t('devices.captures.frames', { n: formatCount(frames) }, frames),
    t('devices.captures.calls', { n: formatCount(callCount) }, callCount),
    formatBytes(size),
    new Date(exportedAt).toLocaleString(),
  ].join(' · ');
}
