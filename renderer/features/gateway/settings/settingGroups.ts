import type { GatewaySettingKey } from '../../../../src-core/contract/types.ts';

/** The settings as the drawer lists them. */
export const settingGroups = [
  {
    id: 'listen',
    keys: ['host', 'port', 'allowedOrigins', 'maxConnections', 'pingInterval', 'pingTimeout', 'sessionTimeout'],
  },
  { id: 'model', keys: ['baseUrl', 'model', 'apiKey', 'timeout', 'temperature', 'maxTokens', 'enableContext'] },
  {
    id: 'tools',
    keys: [
      ...['clientToolsEnabled', 'clientToolsMaxCount', 'clientToolTimeout', 'clientToolResultQueueSize'],
      ...[
        'tellModelOfFailures',
        'offerOtherTools',
        'offerOwnTools',
        'mcpEnabled',
        'mcpServerName',
        'mcpProtocolVersion',
      ],
    ],
  },
] as const satisfies readonly { id: string; keys: readonly string[] }[];

/** A setting that the drawer lists. */
export type ShownSettingKey = (typeof settingGroups)[number]['keys'][number];

/** Set with the model, not here. */
export const ofTheModel: ReadonlySet<GatewaySettingKey> = new Set(['baseUrl', 'model', 'apiKey']);

/** Those in seconds. */
export const inSeconds: ReadonlySet<GatewaySettingKey> = new Set([
  ...(['pingInterval', 'pingTimeout', 'sessionTimeout', 'timeout', 'clientToolTimeout'] as const),
]);
