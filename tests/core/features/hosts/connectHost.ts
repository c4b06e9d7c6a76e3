import { Client, StreamableHTTPClientTransport, type ElicitRequest } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

import type { HostScope } from '../../../../src-core/contract/hosts.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';

/** The token of a new host. */
export function newToken({ services }: Workbench, scope: HostScope = 'all') {
  return services.hosts.create({ name: 'My host', scope });
}

// An alias, since an interface has no index signature.
type Answer = { action: 'accept' | 'decline'; content?: Record<string, boolean> };

/** A host of SDK v2, over HTTP. */
export async function connectHost(
  workbench: Workbench,
  {
    era = 'modern',
    token = newToken(workbench).token,
    path = '',
    answer,
    elicitation = { form: {} },
  }: {
    era?: 'legacy' | 'modern';
    token?: string;
    path?: string;
    /** How the host's user answers questions; without it, the host has no elicitation. */
    answer?: (request: ElicitRequest) => Answer | Promise<Answer>;
    /** The kinds of questions that it supports. */
    elicitation?: { form?: object; url?: object };
  } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test-host', version: '1.2.3' },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : 'auto' },
      ...(answer && { capabilities: { elicitation: elicitation as { form?: Record<string, never> } } }),
    },
  );
  if (answer) client.setRequestHandler('elicitation/create', answer);
  const url = new URL(workbench.services.hosts.state().url + path);
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}
