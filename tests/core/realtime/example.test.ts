/** docs/examples/realtime.ts, run as its first lines say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

test('the example talks to a model that calls its tool', async () => {
  const elsewhere = ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'REALTIME_URL', 'REALTIME_MODEL'];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !elsewhere.includes(name)));
  const example = spawn(process.execPath, ['docs/examples/realtime.ts'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env, NODE_OPTIONS: '' },
  });
  onTestFinished(() => void example.kill('SIGKILL'));
  const stderr: string[] = [];
  example.stderr.on('data', (text) => stderr.push(String(text)));
  const lines = createInterface({ input: example.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value ?? stderr.join(''));

  expect(await next()).toBe('Talking to scripted.');
  example.stdin.write('How is the weather in Kyiv?\n');
  const said = [await next(), await next(), await next()];
  expect(said.sort()).toEqual(['bot: It is sunny in Kyiv there.', 'bot: One moment.', 'get_weather({"city":"Kyiv"})']);
  const exit = once(example, 'close');
  example.stdin.end();
  expect([await exit, stderr.join('')]).toEqual([[0, null], '']);
});
