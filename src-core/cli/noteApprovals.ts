import { isLoopback } from '../server/address.ts';
import type { Workbench } from '../workbench.ts';
import { firstLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';

/** Says in the terminal which devices wait for approval, once each time one begins to, until the terminal ends. */
export async function noteApprovals(
  workbench: Pick<Workbench, 'services' | 'info'>,
  terminal: Terminal,
): Promise<void> {
  const { topics, devices } = workbench.services;
  const { command = 'toolwire', dataDir } = workbench.info();
  let known = new Set<string>();
  for await (const event of topics.subscribe(terminal.ended)) {
    if (!event.topics.includes('devices') || isLoopback(workbench.info().device.host)) continue;
    const waiting = devices.list().filter(({ state }) => state === 'approval');
    for (const { id, name, remoteAddress, clientId } of waiting) {
      if (known.has(`${id} ${clientId}`)) continue;
      const who = `${firstLine(name)} (${firstLine(id)}, ${remoteAddress}, Client-Id ${firstLine(clientId ?? 'none')})`;
      const approve = `${command} approve ${firstLine(id)} --data-dir "${dataDir}"`;
      terminal.note(`toolwire: ${who} waits for approval. Approve it with: ${approve}\n`);
    }
    known = new Set(waiting.map(({ id, clientId }) => `${id} ${clientId}`));
  }
}
