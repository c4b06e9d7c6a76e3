/** What a legacy MCP server asks during a call of a host. */
import { beforeEach, expect, it, vi } from 'vitest';

import type { ServerRequest } from '../../../../src-core/contract/servers.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from '../servers/support.ts';
import { connectHost, newToken } from './connectHost.ts';

type Host = Awaited<ReturnType<typeof connectHost>>;

let workbench: Workbench;
let path: string;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
  const id = await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  await workbench.services.servers.setConsumers({ id, consumers: ['host'] });
  path = `/server/${id}`;
});

/** A host whose user declines; `asked` has the modes of its questions. */
async function connectAsked(
  elicitation: { form?: object; url?: object },
  era: 'legacy' | 'modern' = 'modern',
  { token } = newToken(workbench),
) {
  const asked: string[] = [];
  const host = await connectHost(workbench, {
    path,
    era,
    token,
    elicitation,
    answer({ params: { mode = 'form' } }) {
      asked.push(mode);
      return { action: 'decline' };
    },
  });
  return { host, asked };
}

async function call(host: Host, tool: string, args: object = {}, signal?: AbortSignal): Promise<string> {
  const { tools } = await host.listTools();
  const { name = '' } = tools.find((each) => each.name.endsWith(tool)) ?? {};
  const { content } = await host.callTool({ name, arguments: { ...args } }, { ...(signal && { signal }) });
  return JSON.stringify(content);
}

const inWindow = async (): Promise<ServerRequest[]> => workbench.services.servers.requests(undefined);

async function declineInWindow(): Promise<void> {
  const { requestId } = await vi.waitUntil(async () => (await inWindow())[0]);
  await workbench.services.servers.answer({ requestId, action: 'decline' });
}

/** A call that the server goes on with after it was cancelled. Returns what cancels it. */
async function startLong(host: Host): Promise<() => Promise<unknown>> {
  const ending = new AbortController();
  const ended = call(host, 'long_running_operation', { duration: 600, steps: 1 }, ending.signal).catch(() => undefined);
  await vi.waitUntil(() => workbench.services.calls.running().length > 0);
  return async () => {
    ending.abort();
    await ended;
    await vi.waitUntil(() => workbench.services.calls.running().length === 0);
  };
}

const url = { url: 'https://example.com/', message: 'Sign in' };

it.each(['legacy', 'modern'] as const)('is asked of the user of the host, if the host supports it, %s', async (era) => {
  const { host, asked } = await connectAsked({ form: {}, url: {} }, era);
  expect(await call(host, 'trigger_elicitation_request')).toContain('declined');
  expect(await call(host, 'trigger_url_elicitation', url)).toContain('decline');
  expect(asked).toEqual(['form', 'url']);
  expect(await inWindow()).toEqual([]);
});

it('is asked in the window, if the host does not support it', async () => {
  const { host, asked } = await connectAsked({ url: {} });
  const [said] = await Promise.all([call(host, 'trigger_elicitation_request'), declineInWindow()]);
  expect(said).toContain('declined');
  expect(asked).toEqual([]);
});

it('is asked in the window, if it may be about the call of another host', async () => {
  const { host, asked } = await connectAsked({ form: {} });
  const other = await connectAsked({ form: {} });
  const cancel = await startLong(other.host);
  const ask = (): Promise<unknown> => Promise.all([call(host, 'trigger_elicitation_request'), declineInWindow()]);
  await ask();
  await cancel();
  await ask();
  expect([asked, other.asked]).toEqual([[], []]);
  expect(await call(other.host, 'trigger_elicitation_request')).toContain('declined');
  expect(other.asked).toEqual(['form']);
});

it('is asked in the window, if it may be about a call of another session of the host', async () => {
  const token = newToken(workbench);
  const one = await connectAsked({ form: {} }, 'legacy', token);
  const other = await connectAsked({ form: {} }, 'legacy', token);
  const cancel = await startLong(one.host);
  await cancel();
  await Promise.all([call(other.host, 'trigger_elicitation_request'), declineInWindow()]);
  expect([one.asked, other.asked]).toEqual([[], []]);
});
