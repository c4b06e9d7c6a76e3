import { askOta } from './askOta.ts';
import { openHub } from './openHub.ts';
import type { OpenHub } from './openHub.ts';
import { connectScripted } from './scriptedDevice.ts';
import type { ScriptedDevice, ScriptedDeviceOptions } from './scriptedDevice.ts';

export const boardId = '02:00:00:aa:bb:cc';
export const boardClientId = '7f2c0c6e-0000-4000-8000-0242ac120002';

/** A hub to which every device comes from another machine. */
export function openRemoteHub(options: Parameters<typeof openHub>[0] = {}): Promise<OpenHub> {
  return openHub({ isLocal: () => false, ...options });
}

/** A board that asks OTA and opens the connection with the token it got. */
export async function connectBoard(
  { otaUrl, wsUrl }: Pick<OpenHub, 'otaUrl' | 'wsUrl'>,
  {
    deviceId = boardId,
    clientId = boardClientId,
    ...options
  }: { deviceId?: string; clientId?: string } & Pick<ScriptedDeviceOptions, 'answer'> = {},
): Promise<ScriptedDevice> {
  const who = { 'Device-Id': deviceId, 'Client-Id': clientId };
  const { token } = await askOta(otaUrl, who);
  return connectScripted(wsUrl, { ...options, headers: { ...who, Authorization: `Bearer ${token}` } });
}
