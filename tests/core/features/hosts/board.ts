import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { readyDevice } from '../../workbench/openWorkbench.ts';
import {
  connectScripted,
  standardTools,
  type ScriptedDevice,
  type WireRequest,
} from '../devices/support/scriptedDevice.ts';

const noArguments = { type: 'object', properties: {} };

/** Tools of a board: those of the firmware that tests call, one that asks first, and two that answer with more than text. */
const boardTools = [
  ...standardTools,
  { name: 'self.reboot', description: 'Restarts.', inputSchema: noArguments },
  { name: 'self.camera.take_photo', description: 'Takes a photo.', inputSchema: noArguments },
  { name: 'self.never', description: 'Does not answer.', inputSchema: noArguments },
];

/** A board of this Device-Id, over a real socket. `answers`: results of its tools by name. */
export async function connectBoard(
  workbench: Workbench,
  deviceId: string,
  answers: Record<string, object> = {},
): Promise<{ board: ScriptedDevice; device: DeviceInfo; calls: () => WireRequest['params'][] }> {
  const answer = ({ id, method, params }: WireRequest): object | undefined => {
    if (id === undefined || params?.name === 'self.never') return undefined;
    const given = params?.name === undefined ? undefined : answers[params.name];
    const result = {
      initialize: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'kitchen', version: '2.4.2' },
      },
      'tools/list': { tools: boardTools },
      'tools/call': given ?? { content: [{ type: 'text', text: 'true' }], isError: false },
    }[method];
    return { jsonrpc: '2.0', id, result };
  };
  const board = await connectScripted(workbench.info().device.webSocketUrl, {
    headers: { 'Device-Id': deviceId },
    answer,
  });
  board.hello();
  const device = await readyDevice(workbench, deviceId);
  const calls = () => board.requests.filter(({ method }) => method === 'tools/call').map(({ params }) => params);
  return { board, device, calls };
}
