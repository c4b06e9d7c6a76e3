import type { CaptureInfo } from '../../../src-core/contract/types.ts';
import { formatBytes } from '../../ui/format/formatBytes.ts';
import { formatDuration } from '../../ui/format/formatDuration.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { formatDateTime } from '../../ui/format/formatTime.ts';
import { t } from '../../i18n/index.ts';

/** What an imported log is of, how much it holds, and when it was recorded. */
export function captureFacts(capture: CaptureInfo): string {
  const { device, origin, firstAt, lastAt, frames, size, toolCount, callCount } = capture;
  const ofDevice = origin === undefined;
  const hasTools = ofDevice || origin === 'mcp';
  return [
    ...(ofDevice ? [device.deviceId, [device.board, device.firmware].filter(Boolean).join(' ')] : []),
    origin === 'mcp' ? visibleText(device.name) : '',
    t('devices.captures.frames', {}, frames),
    ...(hasTools ? [t('devices.captures.tools', {}, toolCount)] : []),
    t('devices.captures.calls', {}, callCount),
    formatBytes(size),
    firstAt !== undefined && lastAt !== undefined ? formatDuration(lastAt - firstAt) : '',
    firstAt === undefined ? '' : formatDateTime(firstAt),
  ]
    .filter(Boolean)
    .join(' · ');
}
