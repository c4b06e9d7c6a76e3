/** What the pane says of the steps of a start. */
import { expect, it } from 'vitest';

import ServerSteps from '../../../../renderer/features/servers/detail/ServerSteps.vue';
import type { ServerRow } from '../../../../src-core/contract/types.ts';
import { nodeServer, onlyServer } from '../../../core/features/servers/support.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

/** The steps of a server in another state. */
async function stepsOf(command: string, state: Partial<ServerRow>) {
  const { workbench } = window;
  const { id } = await workbench.services.servers.add(Object.assign(nodeServer('lab', ['-y', 'pkg']), { command }));
  const detail = await workbench.services.servers.detail({ id });
  const server = { ...(await onlyServer(workbench)), ...state };
  return { server, detail, view: window.mount(ServerSteps, { server, detail }) };
}

const failure = { text: 'No secure connection.', stderr: [] };

it('says that a program may download the package first, and warns of a start that continues', async () => {
  const { server, detail, view } = await stepsOf('npx', { state: 'starting', failure });
  expect(view.text()).toContain('npx downloads the package first if this computer does not have it.');
  expect(view.get('[role="status"]').text()).toContain('Last attempt');
  await view.setProps({ server: { ...server, failure: { ...failure, isCurrentAttempt: true } }, detail });
  expect(view.get('[role="status"]').text()).toContain('This attempt');
  // Such as a banner on stdout.
  expect(view.text()).not.toContain('may be slow or blocked');
  const silent = { ...failure, code: 'servers.failed.silent', isCurrentAttempt: true };
  await view.setProps({ server: { ...server, failure: silent }, detail });
  // Not “a minute” beside a warning after 15 s.
  expect(view.text()).not.toContain('downloads the package first');
  expect(view.get('[role="status"]').text()).toContain('The download of the package by npx may be slow or blocked.');
  expect(view.get('[role="status"]').text()).toContain('NODE_EXTRA_CA_CERTS');
  await view.setProps({ server: { ...server, state: 'failing', failure }, detail });
  expect(view.text()).not.toContain('download');
  expect(view.get('[role="alert"]').text()).not.toContain('Last attempt');
});

it('says of other programs nothing of a download', async () => {
  const { view } = await stepsOf('/opt/npx-tools/server', { state: 'starting' });
  expect(view.text()).not.toContain('downloads');
});

it('ranks the change of a configuration first if no attempt follows, and names a failure once', async () => {
  const { server, detail, view } = await stepsOf('npx', { state: 'failing', failure, retryAt: Date.now() + 9_000 });
  const edit = () => view.findAll('button').find((button) => button.text() === 'Edit the server');
  expect(edit()?.classes()).toContain('secondary');
  const steps = detail.steps.map((step) =>
    step.step === 'process' ? { ...step, outcome: 'failed' as const, facts: ['self-signed'] } : step,
  );
  const { retryAt: _, ...givenUp } = server;
  await view.setProps({ server: givenUp, detail: { ...detail, steps } });
  expect(edit()?.classes()).toContain('primary');
  expect(view.text()).not.toContain('self-signed');
  expect(view.text()).toContain('Failed');
});

it('offers to add a header to a server that has no sign-in', async () => {
  const { view } = await stepsOf('npx', { state: 'failing', failure: { ...failure, code: 'signIn.no-oauth' } });
  await view
    .findAll('button')
    .find((button) => button.text() === 'Edit headers')!
    .trigger('click');
  expect(view.emitted('edit')).toEqual([['header']]);
});
