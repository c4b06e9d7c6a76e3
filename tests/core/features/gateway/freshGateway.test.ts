/** The gateway of a new installation: its settings, and the model that needs no server. */
import { expect, onTestFinished, test, vi } from 'vitest';

import { settingDefinitions } from '../../../../src-core/features/gateway/settings.ts';
import { createWorkbench, type Workbench } from '../../../../src-core/workbench.ts';
import { dataDirWith } from '../../cli/cliProcess.ts';
import { connectClient } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

async function openWorkbench(): Promise<Workbench['services']['gateway']> {
  for (const { variable } of Object.values(settingDefinitions)) if (variable) vi.stubEnv(variable, undefined);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const bench = await createWorkbench({ dataDir: dataDirWith(), devicePort: 0, shell: 'browser', onError });
  onTestFinished(async () => {
    await bench.close();
    vi.unstubAllEnvs();
    expect(errors).toEqual([]);
  });
  return bench.services.gateway;
}

test('settings of the headless command are not among those of the app, and are refused', async () => {
  const gateway = await openWorkbench();
  const keys = gateway.state().settings.map(({ key }) => key);
  expect(keys).toContain('allowedOrigins');
  expect(keys.filter((key) => key.startsWith('log'))).toEqual([]);
  await expect(gateway.configure({ settings: { logLevel: 'DEBUG' } })).rejects.toThrow(/no setting "logLevel"/);
});

test('a client is tried with the scripted model: its own tool is called', async () => {
  const gateway = await openWorkbench();
  await gateway.configure({ settings: { port: 0 } });
  const { urls } = await gateway.setEnabled({ enabled: true });
  const client = await connectClient(urls[0]!);
  client.send(register(clientTool('get_battery')));
  client.send(ask('我的电量还剩多少？'));
  const callback = (await client.upTo('tool_callback')).at(-1)!;
  expect(callback['tool_name']).toBe('get_battery');
  client.send({ type: 'tool_result', call_id: callback['call_id'], success: true, result: { level: 85 } });
  expect((await client.upTo('llm_response')).at(-1)!['content']).toContain('85');
});
