import { expect, test } from 'vitest';

import type { ChatOptionsChange, ChatProtocol } from '../../../../src-core/contract/types.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';

test('a new chat has the protocol of its model, until the user has chosen one or written', async () => {
  const { chat, models } = (await openWorkbench()).services;
  const save = async (protocol?: ChatProtocol): Promise<string> => {
    const address = { preset: 'custom', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' } as const;
    const limits = { stream: true, totalMs: 60_000, chunkMs: 60_000 };
    const { id } = await models.save({ kind: 'openai-compatible', label: 'M', protocol, ...address, ...limits });
    return id;
  };
  const [modelId, old] = [await save('native'), await save()];
  const protocolOf = (sessionId: string, options: ChatOptionsChange): ChatProtocol =>
    chat.updateOptions({ sessionId, options }).options.protocol;
  expect(chat.create({ options: { modelId } }).options.protocol).toBe('native');
  const { id, options } = chat.create({ options: { modelId: old } });
  expect(options.protocol).toBe('vcp');
  expect(protocolOf(id, { modelId })).toBe('native');
  expect(protocolOf(id, { modelId: old })).toBe('vcp');
  protocolOf(id, { protocol: 'json' });
  expect(protocolOf(id, { modelId })).toBe('json');
});
