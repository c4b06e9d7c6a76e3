import type { JsonObject } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { servers } from '../../contract/servers.ts';
import type { CallOptions, McpConnection } from '../../mcp/types.ts';
import { expandTemplate } from '../../mcp/uriTemplate.ts';
import { answerOf } from './failureMessage.ts';
import type { LiveServer } from './liveServer.ts';
import { readPrompts, readResources, readTemplates, type ServerLists } from './readLists.ts';

const requestMs = 60_000;
const maxCompletions = 100;
const maxCompletionLength = 2_000;

type Offers = Pick<
  Implementation<typeof servers>,
  'resources' | 'readResource' | 'templates' | 'expandTemplate' | 'prompts' | 'prompt' | 'complete' | 'subscribe'
>;

/** What a server offers in addition to tools: resources, their templates, prompts and completions. */
export function createOffers(options: {
  /** @throws {RequestError} If the server is not connected. */
  connectionOf: (id: string) => McpConnection;
  liveOf: (id: string) => LiveServer;
}): Offers {
  const { connectionOf, liveOf } = options;
  const optionsOf = (signal = new AbortController().signal): CallOptions => ({ signal, timeoutMs: requestMs });
  const listOf = async (id: string, kind: keyof ServerLists): Promise<readonly JsonObject[]> => {
    connectionOf(id);
    try {
      return (await liveOf(id).listed.readings[kind]) ?? [];
    } catch (cause) {
      const reason = liveOf(id).mask(cause instanceof Error ? cause.message : String(cause));
      throw new RequestError(localize('servers.listUnreadable', { reason }), { cause });
    }
  };
  const ask = <T>(id: string, request: (connection: McpConnection) => Promise<T>): Promise<T> =>
    answerOf(request(connectionOf(id)), (text) => liveOf(id).mask(text));
  return {
    resources: async ({ id }) => readResources(await listOf(id, 'resources')),
    readResource: ({ id, uri }, signal) => ask(id, (connection) => connection.readResource(uri, optionsOf(signal))),
    templates: async ({ id }) => readTemplates(await listOf(id, 'templates')),
    expandTemplate({ template, values }) {
      try {
        return { uri: expandTemplate(template, values) };
      } catch (cause) {
        throw new RequestError(localize('servers.badTemplate', { template }), { field: 'template', cause });
      }
    },
    prompts: async ({ id }) => readPrompts(await listOf(id, 'prompts')),
    prompt: ({ id, name, args }, signal) =>
      ask(id, (connection) => connection.getPrompt(name, args, optionsOf(signal))),
    async complete({ id, of, argument, known }, signal) {
      connectionOf(id);
      if (!liveOf(id).can('completions')) return { values: [] };
      const { values } = await ask(id, (connection) =>
        connection.complete(of, argument, known, optionsOf(signal).signal),
      );
      return { values: values.filter(({ length }) => length <= maxCompletionLength).slice(0, maxCompletions) };
    },
    subscribe: ({ id, uri, on }, signal) =>
      ask(id, (connection) => liveOf(id).subscriptions.set(connection, uri, on, optionsOf(signal).signal)),
  };
}
