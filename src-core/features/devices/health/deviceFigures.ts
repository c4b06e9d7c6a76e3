import type { DeviceSession } from '../session/deviceSession.ts';
import type { DeviceInfo } from '../types.ts';

/** Adds what a connection's traffic tells of the device: round trips, audio, notifications, changes of its tools. */
export function addDeviceFigures(info: DeviceInfo, { client, wire }: DeviceSession): void {
  const { latency, notifications, toolChanges } = client;
  const { audio } = wire;
  if (latency !== undefined) info.latency = latency;
  if (audio !== undefined) info.audio = audio;
  if (notifications !== undefined) info.notifications = notifications;
  if (toolChanges !== undefined) info.toolChanges = toolChanges;
}
