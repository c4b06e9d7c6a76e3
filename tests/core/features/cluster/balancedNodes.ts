/** Two nodes behind HAProxy, with the configuration of docs/cluster.md. */
import { readFileSync } from 'node:fs';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { freePort } from '../../../helpers/freePort.ts';
import { openHaproxy } from '../../../helpers/haproxy.ts';
import { jetStream, openNatsServer } from '../../../helpers/natsServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { memberOf } from './peer.ts';

const guide = readFileSync(new URL('../../../../docs/cluster.md', import.meta.url), 'utf8');

/** The rest of the code block that begins so. */
export const guideBlock = (begin: string): string => guide.split(`\`\`\`${begin}`)[1]?.split('```')[0] ?? '';

/** The nodes behind HAProxy in a mode: at 127.0.0.2, as the guide says for one on the same machine. */
export async function openNodes(mode: 'HTTP' | 'TCP') {
  const nats = await openNatsServer({ config: jetStream() });
  const [port, statsPort] = [await freePort(), await freePort()];
  const publicUrl = `http://localhost:${port}`;
  const proxy = { publicUrl, trusted: ['127.0.0.2'] };
  const open = (name: string) => openWorkbench({ cluster: memberOf(nats, name), proxy });
  const nodes = [await open('lab-1'), await open('lab-2')] as const;
  const config = guideBlock(`haproxy\n# /etc/haproxy/haproxy.cfg, ${mode} mode`)
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace('default-server ', 'default-server source 127.0.0.2 ')
    .replace('10.0.0.11:4311', `127.0.0.1:${nodes[0].info().device.port}`)
    .replace('10.0.0.12:4311', `127.0.0.1:${nodes[1].info().device.port}`);
  const stats = `frontend stats\n  mode http\n  bind 127.0.0.1:${statsPort}\n  stats enable\n  stats uri /\n`;
  await openHaproxy({ port, config: config + stats });
  /** What HAProxy says of a node, such as `UP` or `DOWN`. */
  async function stateOf(node: Workbench): Promise<string | undefined> {
    const [head = '', ...lines] = (await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text()).split('\n');
    const line = lines.find((each) => each.startsWith(`nodes,lab-${nodes.indexOf(node) + 1},`));
    return line?.split(',')[head.split(',').indexOf('status')];
  }
  return { port, publicUrl, nodes, stateOf };
}

export const find = ({ services }: Workbench, deviceId: string) =>
  services.devices.list().find((device) => device.deviceId === deviceId);
