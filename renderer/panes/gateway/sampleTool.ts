import type { GatewayTestTool } from '../../../src-core/api/types.ts';
import { t } from '../../i18n/index.ts';

/** The tool that the test client brings along: the scripted model asks for it when it is spoken to. */
export function sampleTool(): GatewayTestTool {
  return {
    name: 'get_time',
    description: t('gateway.try.tool'),
    parameters: {
      type: 'object',
      properties: { timezone: { type: 'string', description: 'IANA, such as Asia/Shanghai' } },
    },
    answer: { kind: 'result', value: { time: '12:41', timezone: 'Asia/Shanghai' } },
  };
}
