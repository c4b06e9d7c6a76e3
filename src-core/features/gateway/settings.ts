import { isOrigin } from '../../base/isOrigin.ts';
import type { GatewaySettingKey, SettingValue } from '../../contract/gateway.ts';

/** A text that a setting may be. */
export interface TextRule {
  kind: 'text';
  /** Characters. */
  maxLength: number;
  pattern?: RegExp;
  /** What no pattern can check. */
  fits?: (text: string) => boolean;
  wanted: string;
  nullIsEmpty?: true;
}

/** What a setting may be. */
export type SettingRule =
  | TextRule
  | { kind: 'number'; min: number; max: number; whole: boolean }
  | { kind: 'boolean' }
  | { kind: 'choice'; choices: readonly string[] };

/** One setting: its environment variable, its default and its rule. */
export interface SettingDefinition {
  /** Absent for settings of our own. */
  variable?: string;
  default: SettingValue;
  rule: SettingRule;
}

const day = 86_400;
const whole = (min: number, max: number): SettingRule => ({ kind: 'number', min, max, whole: true });
const seconds = (min: number): SettingRule => ({ kind: 'number', min, max: 30 * day, whole: false });
const boolean: SettingRule = { kind: 'boolean' };
const text = (maxLength: number, wanted: string, pattern?: RegExp): TextRule => ({
  kind: 'text',
  maxLength,
  wanted,
  ...(pattern !== undefined && { pattern }),
});

/** Whether a text is empty, or lists origins, `null` and `*` with commas between them. */
function areOrigins(list: string): boolean {
  return list === '' || list.split(',').every((part) => part === '*' || part === 'null' || isOrigin(part));
}

/** Every setting, in the order of docs/gateway.md#settings. */
export const settingDefinitions: Readonly<Record<GatewaySettingKey, SettingDefinition>> = {
  host: { variable: 'CLOUD_HOST', default: '0.0.0.0', rule: text(255, 'an address of this machine', /^[\w.:%-]+$/) },
  port: { variable: 'CLOUD_PORT', default: 9400, rule: whole(0, 65_535) },
  pingInterval: { variable: 'CLOUD_PING_INTERVAL', default: 30, rule: seconds(0.01) },
  pingTimeout: { variable: 'CLOUD_PING_TIMEOUT', default: 300, rule: seconds(0.01) },
  maxConnections: { variable: 'CLOUD_MAX_CONNECTIONS', default: 100, rule: whole(1, 2_000) },
  sessionTimeout: { variable: 'CLOUD_SESSION_TIMEOUT', default: 3600, rule: seconds(0.01) },
  logLevel: {
    variable: 'CLOUD_LOG_LEVEL',
    default: 'INFO',
    rule: { kind: 'choice', choices: ['DEBUG', 'INFO', 'WARNING', 'ERROR'] },
  },
  logFormat: { variable: 'CLOUD_LOG_FORMAT', default: 'json', rule: { kind: 'choice', choices: ['json', 'text'] } },
  baseUrl: {
    variable: 'LLM_BASE_URL',
    default: 'http://192.168.13.228:8000/v1/',
    rule: text(2_048, 'an http or https address', /^https?:\/\/\S+$/),
  },
  model: { variable: 'LLM_MODEL', default: 'Qwen3-30B-A3B', rule: text(256, 'the name of a model', /\S/) },
  apiKey: {
    variable: 'LLM_API_KEY',
    default: '',
    // "null" means no key, too.
    rule: {
      kind: 'text',
      maxLength: 4_096,
      wanted: 'one line of visible characters',
      pattern: /^[\x21-\x7e]*$/,
      nullIsEmpty: true,
    },
  },
  timeout: { variable: 'LLM_TIMEOUT', default: 120, rule: seconds(0.01) },
  temperature: {
    variable: 'LLM_TEMPERATURE',
    default: null,
    rule: { kind: 'number', min: 0, max: 1, whole: false },
  },
  maxTokens: { variable: 'LLM_MAX_TOKENS', default: 2048, rule: whole(1, 10_000_000) },
  enableContext: { variable: 'LLM_ENABLE_CONTEXT', default: false, rule: boolean },
  mcpEnabled: { variable: 'MCP_ENABLED', default: true, rule: boolean },
  mcpServerName: {
    variable: 'MCP_SERVER_NAME',
    default: 'arcs-mini-mcp-server',
    rule: text(128, 'a name of visible characters', /^(?!\s*$)[^\p{C}]+$/u),
  },
  mcpProtocolVersion: {
    variable: 'MCP_PROTOCOL_VERSION',
    default: '2024-11-05',
    rule: text(10, 'a date as 2024-11-05', /^\d{4}-\d{2}-\d{2}$/),
  },
  clientToolsEnabled: { variable: 'CLIENT_TOOLS_ENABLED', default: true, rule: boolean },
  clientToolsMaxCount: { variable: 'CLIENT_TOOLS_MAX_COUNT', default: 32, rule: whole(0, 1_000) },
  clientToolTimeout: { variable: 'CLIENT_TOOL_TIMEOUT', default: 30, rule: seconds(0.01) },
  clientToolResultQueueSize: { variable: 'CLIENT_TOOL_RESULT_QUEUE_SIZE', default: 10, rule: whole(1, 10_000) },
  tellModelOfFailures: { default: false, rule: boolean },
  offerOtherTools: { default: false, rule: boolean },
  offerOwnTools: { default: false, rule: boolean },
  allowedOrigins: {
    variable: 'CLOUD_ALLOWED_ORIGINS',
    default: '',
    rule: {
      ...text(
        4_096,
        'a list of origins separated by commas, such as http://localhost:8080 (null allows pages from files, * allows all)',
      ),
      fits: areOrigins,
    },
  },
};

/** Whether a text is the name of a setting. */
export function isGatewaySettingKey(key: string): key is GatewaySettingKey {
  return Object.hasOwn(settingDefinitions, key);
}
