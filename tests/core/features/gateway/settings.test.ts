/** Settings and where they come from (docs/protocols/gateway.md#settings). */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { resolveSettings } from '../../../../src-core/features/gateway/resolveSettings.ts';
import { settingDefinitions } from '../../../../src-core/features/gateway/settings.ts';

const of = (env: Record<string, string>, settings = {}) => {
  const { values, list } = resolveSettings({ env, settings });
  return { values, by: Object.fromEntries(list.map((each) => [each.key, each])) };
};

const seed = '/work/shared/seeds/004_5a10e265b579f802.txt';

test.skipIf(!existsSync(seed))(
  'has every variable of the original gateway, with its default except for the temperature',
  () => {
    const part = readFileSync(seed, 'utf8').split('## 8. 配置参数')[1]!.split('## 9. ')[0]!;
    const rows = [...part.matchAll(/^\| `\w+` \| `([A-Z_]+)` \| `([^`]*)` \|/gm)].map(([, variable, value]) => [
      variable,
      value,
    ]);
    expect(rows.length).toBe(22);
    const shown = (variable: string, value: unknown): string => {
      if (variable === 'LLM_API_KEY') return 'null';
      // Models that take no temperature would refuse every turn.
      return variable === 'LLM_TEMPERATURE' && value === null ? '0.7' : String(value);
    };
    const ours = Object.values(settingDefinitions).flatMap(({ variable, default: value }) =>
      variable === undefined || variable === 'CLOUD_ALLOWED_ORIGINS' ? [] : [[variable, shown(variable, value)]],
    );
    expect(ours).toEqual(rows);
  },
);

test('settings override the environment, which overrides the defaults; each value names its source', () => {
  const env = { CLOUD_PORT: '9500', LLM_TEMPERATURE: '0.2', LLM_ENABLE_CONTEXT: 'True', CLOUD_LOG_LEVEL: 'warn' };
  const { values, by } = of(env, { temperature: 0.9, tellModelOfFailures: true });
  expect(values).toMatchObject({
    port: 9500,
    temperature: 0.9,
    enableContext: true,
    logLevel: 'WARNING',
    maxTokens: 2048,
  });
  expect(by['port']).toEqual({
    key: 'port',
    value: 9500,
    origin: 'environment',
    variable: 'CLOUD_PORT',
    default: 9400,
  });
  expect(by['temperature']).toMatchObject({ origin: 'settings', value: 0.9 });
  expect(by['tellModelOfFailures']).toEqual({
    key: 'tellModelOfFailures',
    value: true,
    origin: 'settings',
    default: false,
  });
  expect(by['maxTokens']).toMatchObject({ origin: 'default' });
});

test.each([
  ['CLOUD_PORT', '70000', 'port'],
  ['CLOUD_PORT', '94o0', 'port'],
  ['CLOUD_PORT', '1e3', 'port'],
  ['CLOUD_MAX_CONNECTIONS', '0', 'maxConnections'],
  ['CLOUD_MAX_CONNECTIONS', '1.5', 'maxConnections'],
  ['CLOUD_LOG_LEVEL', 'LOUD', 'logLevel'],
  ['LLM_BASE_URL', 'ftp://x', 'baseUrl'],
  ['LLM_TEMPERATURE', '2', 'temperature'],
  ['LLM_ENABLE_CONTEXT', 'maybe', 'enableContext'],
  ['LLM_API_KEY', 'two words', 'apiKey'],
  ['MCP_PROTOCOL_VERSION', 'new', 'mcpProtocolVersion'],
  ['CLIENT_TOOL_TIMEOUT', '-1', 'clientToolTimeout'],
  ['CLOUD_ALLOWED_ORIGINS', 'localhost:99', 'allowedOrigins'],
  ['CLOUD_ALLOWED_ORIGINS', 'https://a.example/x', 'allowedOrigins'],
  ['CLOUD_ALLOWED_ORIGINS', 'http://a.test,', 'allowedOrigins'],
])('%s=%s is not used, and says so', (variable, text, key) => {
  const { by } = of({ [variable]: text });
  expect(by[key]).toMatchObject({
    origin: 'default',
    value: by[key]!.default,
    problem: expect.stringContaining(variable) as string,
  });
});

test('a key that does not fit is not shown', () => {
  expect(of({ LLM_API_KEY: 'sk-two words' }).by['apiKey']!.problem).not.toContain('sk-');
});

test('CLOUD_ALLOWED_ORIGINS lists origins, of which null is one', () => {
  expect(of({ CLOUD_ALLOWED_ORIGINS: 'http://a.test,null' }).values.allowedOrigins).toBe('http://a.test,null');
  expect(of({ CLOUD_ALLOWED_ORIGINS: 'null' }).values.allowedOrigins).toBe('null');
  expect(of({}).by['temperature']).toMatchObject({
    value: null,
    default: null,
    origin: 'default',
  });
});

test('ignores an empty variable and a key of null; reads fractions of seconds and usual booleans', () => {
  const { values, by } = of({
    CLOUD_HOST: '',
    LLM_MODEL: '  ',
    LLM_API_KEY: 'null',
    CLIENT_TOOL_TIMEOUT: '0.5',
    MCP_ENABLED: 'off',
    CLIENT_TOOLS_ENABLED: '0',
  });
  expect(values).toMatchObject({ host: '0.0.0.0', model: 'Qwen3-30B-A3B', apiKey: '', clientToolTimeout: 0.5 });
  expect(values).toMatchObject({ mcpEnabled: false, clientToolsEnabled: false });
  expect(by['host']).toMatchObject({ origin: 'default' });
});

test('a setting that does not fit is not used: the environment holds', () => {
  const { by } = of({ CLOUD_PORT: '9500' }, { port: 'many', maxTokens: 0.5 });
  expect(by['port']).toMatchObject({
    value: 9500,
    origin: 'environment',
    problem: expect.stringMatching(/whole number/) as string,
  });
  expect(by['maxTokens']).toMatchObject({ value: 2048, origin: 'default' });
});
