import { openGateway, type OpenGateway, type OpenGatewayOptions } from './openGateway.ts';
import type { Message, TestClient } from './testClient.ts';
import { ask, register } from './wording.ts';

/** A client with these tools, and its question asked. */
export async function askedClient(
  options: OpenGatewayOptions,
  ...tools: object[]
): Promise<{ client: TestClient; bench: OpenGateway }> {
  const bench = await openGateway(options);
  const client = await bench.connect();
  if (tools.length > 0) client.send(register(...tools));
  if (tools.length > 0) await client.upTo('tools_registered');
  client.send(ask('go'));
  return { client, bench };
}

/** The next callbacks, so many. */
export async function callbacks(client: TestClient, count: number): Promise<Message[]> {
  const taken: Message[] = [];
  while (taken.length < count) taken.push((await client.upTo('tool_callback')).at(-1)!);
  return taken;
}

/** The answer to a callback. */
export const resultOf = (callback: Message, more: object = {}): object => ({
  type: 'tool_result',
  call_id: callback['call_id'],
  success: true,
  ...more,
});
