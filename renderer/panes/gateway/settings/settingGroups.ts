import type { GatewaySettingKey } from '../../../../src-core/api/types.ts';

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
      ...['tellModelOfFailures', 'offerOtherTools', 'mcpEnabled', 'mcpServerName', 'mcpProtocolVersion'],
    ],
  },
  { id: 'terminal', keys: ['logLevel', 'logFormat'] },
] as const satisfies readonly { id: string; keys: readonly string[] }[];

/** Set with the model, not here. */
export const ofTheModel: ReadonlySet<GatewaySettingKey> = new Set(['baseUrl', 'model', 'apiKey']);

/** Those that are one of a few words. */
export const settingChoices: Partial<Record<GatewaySettingKey, readonly string[]>> = {
  logLevel: ['DEBUG', 'INFO', 'WARNING', 'ERROR'],
  logFormat: ['json', 'text'],
};

/** Those in seconds. */
export const inSeconds: ReadonlySet<GatewaySettingKey> = new Set([
  ...(['pingInterval', 'pingTimeout', 'sessionTimeout', 'timeout', 'clientToolTimeout'] as const),
]);
