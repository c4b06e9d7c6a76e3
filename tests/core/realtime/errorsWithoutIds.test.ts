/** Errors of Qwen's servers name no event of ours: their words and what is on its way say what they are about. */
import { expect, test } from 'vitest';
import { QwenOmniRealtimeProvider } from '../../../src-core/realtime/providers/qwenOmniRealtimeProvider.ts';
import { callResponse, connectedBed, weatherTool, type Bed } from './beds.ts';

const qwenBed = (): Promise<Bed> => connectedBed((options) => new QwenOmniRealtimeProvider(options));
const errorOf = (message: string, more: object = {}) => ({
  type: 'error',
  error: { type: 'invalid_request_error', code: 'invalid_value', message, ...more },
});

test('that nothing was there to cancel is not shown', async () => {
  const { provider, heard, peer } = await qwenBed();
  peer.send({ type: 'response.created', response: { id: 'r1' } });
  await heard.until('event.response.start');
  await provider.interrupt();
  await peer.next('response.cancel');
  peer.send(errorOf('Conversation has none active response.'), errorOf('Something else.', { code: 'server_error' }));
  const errors = await heard.until('event.error');
  expect(errors.map(({ detail }) => detail)).toEqual(['server_error: Something else.']);
});

test('a response that was refused as busy is asked for again, so that the output of a tool is answered', async () => {
  const { provider, heard, peer } = await qwenBed();
  peer.send(...callResponse('r1', [{ id: 'a' }]));
  await heard.until('event.response.end');
  await provider.sendToolOutput('a', 'grey');
  await peer.next('response.create');
  peer.send(errorOf('Conversation already has an active response.'));
  peer.send({ type: 'response.done', response: { id: 'other', status: 'completed', output: [] } });
  await peer.next('response.create');
  expect(heard.of('event.error')).toEqual([]);
});

test('an error while a change is on its way refuses the change; one while a response is asked for ends the wait', async () => {
  const { provider, heard, peer } = await qwenBed();
  const change = provider.updateSession({ tools: [weatherTool] });
  await peer.next('session.update');
  peer.send(errorOf('The model takes no tools.'));
  await expect(change).rejects.toThrow('invalid_value: The model takes no tools.');
  expect(heard.of('event.error')).toEqual([]);

  await provider.sendText('Hi');
  await peer.next('response.create');
  peer.send(errorOf('Nothing to answer.'));
  await heard.until('event.error');
  // Nothing is waited for any more: the next request goes out at once.
  await provider.sendText('Hello?');
  await peer.next('response.create');
});

test("a server's own trouble refuses no change", async () => {
  const { provider, heard, peer } = await qwenBed();
  const change = provider.updateSession({ voice: 'Cherry' });
  const update = await peer.next('session.update');
  peer.send(errorOf('Overloaded.', { code: 'server_error' }));
  await heard.until('event.error');
  peer.send({ type: 'session.updated', session: update.session });
  expect(await change).toEqual({ tools: [], droppedTools: [] });
});
