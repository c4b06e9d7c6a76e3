import { expect, test } from 'vitest';
import { callResponse, connectedBed, weatherTool } from './beds.ts';

test('a call is run once its item is done, and its output and one request for an answer go back', async () => {
  const { provider, heard, peer } = await connectedBed();
  const updated = provider.updateSession({ instructions: 'Be brief.', tools: [weatherTool] });
  const update = await peer.next('session.update');
  peer.send({ type: 'session.updated', session: update.session });
  expect(await updated).toEqual({ tools: ['get_weather'], droppedTools: [] });

  peer.send(...callResponse('resp_1', [{ id: 'call_1' }]));
  const [call] = await heard.until('tool.call');
  expect(call).toMatchObject({ callId: 'call_1', toolName: 'get_weather', arguments: { city: 'Oslo' } });
  await provider.sendToolOutput('call_1', '{"sky":"grey"}');
  const item = await peer.next('conversation.item.create');
  expect(item.item).toEqual({ type: 'function_call_output', call_id: 'call_1', output: '{"sky":"grey"}' });
  await peer.next('response.create');
  expect(peer.received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
});
