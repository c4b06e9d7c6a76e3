/** Dangerous calls of hosts: who is asked, in both eras. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectBoard } from './board.ts';
import { connectHost } from './connectHost.ts';

const eras = ['legacy', 'modern'] as const;
const kitchen = '02:00:00:aa:be:01';

function textOf({ content }: CallToolResult): string {
  return JSON.stringify(content);
}

/** A window that can be asked. */
async function openWindow({ services }: Workbench): Promise<void> {
  const window = new AbortController();
  onTestFinished(() => window.abort());
  await services.workbench.events(undefined, window.signal).next();
}

/** The first question that the windows show. */
function firstQuestion({ services }: Workbench) {
  return vi.waitFor(() => {
    const [first] = services.hosts.state().questions;
    if (first === undefined) throw new Error('No question yet.');
    return first;
  });
}

it.each(eras)('asks by elicitation before a board restarts, %s', async (era) => {
  const workbench = await openWorkbench();
  const { calls } = await connectBoard(workbench, kitchen);
  let run = false;
  const client = await connectHost(workbench, { era, answer: () => ({ action: 'accept', content: { run } }) });
  const refused = await client.callTool({ name: 'kitchen_be01_reboot' });
  expect(refused).toMatchObject({ isError: true });
  expect(textOf(refused)).toContain('refused');
  expect(calls()).toEqual([]);
  run = true;
  expect(await client.callTool({ name: 'kitchen_be01_reboot' })).not.toMatchObject({ isError: true });
  expect(calls()).toEqual([{ name: 'self.reboot', arguments: {} }]);
});

it.each(eras)('says how to allow a dangerous call if the user cannot be asked, %s', async (era) => {
  const workbench = await openWorkbench();
  const { calls } = await connectBoard(workbench, kitchen);
  const client = await connectHost(workbench, { era });
  const answer = await client.callTool({ name: 'kitchen_be01_reboot' });
  expect(answer).toMatchObject({ isError: true });
  expect(textOf(answer)).toContain('Open Toolwire and repeat the call');
  expect(calls()).toEqual([]);
});

it.each(eras)('runs a dangerous call that is approved in a window, %s', async (era) => {
  const workbench = await openWorkbench();
  const { calls } = await connectBoard(workbench, kitchen);
  const { hosts } = workbench.services;
  await openWindow(workbench);
  // The host's own user does not answer.
  const client = await connectHost(workbench, { era, answer: () => new Promise<never>(() => undefined) });
  const answer = client.callTool({ name: 'kitchen_be01_reboot' });
  const question = await firstQuestion(workbench);
  expect(question).toMatchObject({ methodName: 'self.reboot', host: 'My host' });
  hosts.decide({ callId: question.callId, allowed: true });
  await vi.waitFor(() => expect(calls()).toHaveLength(1));
  // A host since 2026-07-28 fetches the result after its user has answered.
  if (era === 'legacy') expect(await answer).not.toMatchObject({ isError: true });
  else answer.catch(() => undefined);
});

it.each(eras)('does not send a form to a host that supports only URLs, %s', async (era) => {
  const workbench = await openWorkbench();
  const { calls } = await connectBoard(workbench, kitchen);
  const { hosts } = workbench.services;
  const answer = vi.fn<() => { action: 'accept' }>();
  const client = await connectHost(workbench, { era, answer, elicitation: { url: {} } });
  const refused = await client.callTool({ name: 'kitchen_be01_reboot' });
  expect(refused).toMatchObject({ isError: true });
  expect(textOf(refused)).toContain('Open Toolwire and repeat the call');
  await openWindow(workbench);
  const running = client.callTool({ name: 'kitchen_be01_reboot' });
  const { callId } = await firstQuestion(workbench);
  expect(calls()).toEqual([]);
  hosts.decide({ callId, allowed: true });
  expect(await running).not.toMatchObject({ isError: true });
  expect([calls(), answer.mock.calls]).toEqual([[{ name: 'self.reboot', arguments: {} }], []]);
});
