import type { GatewayTestTool } from '../../../src-core/contract/types.ts';
import { formatTime } from '../../ui/format/formatTime.ts';
import { t } from '../../i18n/index.ts';

/** The tool that the test client brings along, with the time of now as its answer: the scripted model asks for it when it is spoken to. */
export function sampleTool(): GatewayTestTool {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    name: 'get_time',
    description: t('gateway.try.tool'),
    parameters: {
      type: 'object',
      properties: { timezone: { type: 'string', description: 'IANA, such as Asia/Shanghai' } },
    },
    answer: { kind: 'result', value: { time: formatTime(Date.now()), timezone } },
  };
}
