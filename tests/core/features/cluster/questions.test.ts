/** Dangerous calls of another node's device: both nodes ask, and one answer counts. */
import { describe, expect, test } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { memberOf } from './peer.ts';

let made = 0;

/** Two nodes, a device at `other`, and a call of it that asks in a window of `one`. */
async function openAsked() {
  const nats = await openNatsServer();
  const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
  const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
  await addDevice(other, { name: 'Lamp' });
  await other.services.settings.set({ dangerousTools: ['*_self.get_device_status'] });
  const lamp = () => one.services.devices.list().find(({ name, registryId }) => name === 'Lamp' && registryId);
  const asks = () =>
    one.toolRegistryManager
      .getTool(lamp()?.registryId ?? '')
      ?.getMetadata()
      .methods.some(({ name, danger }) => name === 'self.get_device_status' && danger !== undefined);
  await until(one, () => asks() === true);
  const callId = `asked-${(made += 1)}`;
  const input = { callId, toolName: lamp()!.registryId!, command: 'self.get_device_status', argsJson: '{}' };
  const events: object[] = [];
  const run = (async () => {
    for await (const event of one.services.calls.executeInPieces({ ...input, origin: 'executor' })) events.push(event);
  })();
  const questions = (workbench: Workbench) => workbench.services.cluster.questions();
  await until(other, () => questions(other).length === 1);
  return { one, other, callId, events, run, questions };
}

const ran = async ({ services }: Workbench) => (await services.calls.history({ limit: 10 })).length;

describe.skipIf(natsServer === undefined)(`questions in a cluster (${natsServer ?? noNatsServer})`, () => {
  test('an answer at the node of the device lets the call run, and ends the question in the window of the caller', async () => {
    const { other, callId, events, run, questions } = await openAsked();
    expect(questions(other)).toMatchObject([
      { callId, methodName: 'self.get_device_status', argsJson: '{}', host: 'one' },
    ]);
    await other.services.cluster.decide({ callId, allowed: true });
    await run;
    expect(events).toContainEqual(expect.objectContaining({ allowed: true }));
    await until(other, () => questions(other).length === 0);
    await expect.poll(() => ran(other)).toBe(1);
  });

  test('an answer of the caller ends the question at the other node', async () => {
    const { one, other, callId, run, questions } = await openAsked();
    one.services.runs.decide({ callId, allowed: false });
    await run;
    await until(other, () => questions(other).length === 0);
    await expect(other.services.cluster.decide({ callId, allowed: true })).rejects.toThrow('does not ask any more');
    expect(await ran(other)).toBe(0);
  });

  test('of two answers at once one counts, and the other is told so', async () => {
    const { one, other, callId, events, run } = await openAsked();
    const answers = await Promise.allSettled([
      other.services.cluster.decide({ callId, allowed: false, reason: 'not now' }),
      Promise.resolve().then(() => one.services.runs.decide({ callId, allowed: true })),
    ]);
    await run;
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(events.filter((event) => 'allowed' in event)).toHaveLength(1);
    await expect.poll(() => ran(other)).toBe(answers[1].status === 'fulfilled' ? 1 : 0);
  });

  test('the question ends with the node that asks', async () => {
    const { one, other, questions } = await openAsked();
    await one.close();
    await until(other, () => questions(other).length === 0);
  });
});
