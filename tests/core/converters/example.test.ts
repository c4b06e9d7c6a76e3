/** docs/examples/agent.ts, run as its first lines say; the model is a scripted server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

import { createVirtualDeviceOf } from '../../../src-core/features/devices/virtual/profiles.ts';
import { startScriptedChatServer } from '../../fakes/scriptedChatServer.ts';

test('the example adds the tools of a device to an agent', async () => {
  const server = await startScriptedChatServer({
    turns: [
      {
        toolCalls: [
          { name: 'get_weather', arguments: { city: 'Kyiv' } },
          { name: 'self_audio_speaker_set_volume', arguments: { volume: 20 } },
        ],
      },
      { text: 'Sunny, and quieter.' },
    ],
  });
  onTestFinished(() => server.close());
  const example = spawn(process.execPath, ['docs/examples/agent.ts'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.baseUrl, NODE_OPTIONS: '' },
  });
  onTestFinished(() => void example.kill('SIGKILL'));
  const stderr: string[] = [];
  example.stderr.on('data', (text) => stderr.push(String(text)));
  const lines = createInterface({ input: example.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value ?? stderr.join(''));

  const url = (await next()).replace('Devices connect to ', '');
  const device = createVirtualDeviceOf('firmware', { url, name: 'Speaker' });
  onTestFinished(() => device.close());
  await device.connect();
  expect(await next()).toMatch(/^Speaker is here with \d+ tools\.$/);
  example.stdin.write('How is the weather? And a little quieter.\n');
  expect(await next()).toBe('Speaker: Sunny, and quieter.');
  const answers = server.chats[1]?.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect(answers).toEqual(['Kyiv: Sunny, 25°C', 'true']);

  const exit = once(example, 'close');
  example.stdin.end();
  expect([await exit, stderr.join('')]).toEqual([[0, null], '']);
});
