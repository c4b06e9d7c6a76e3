import { randomUUID } from 'node:crypto';

/** Who a device says it is. */
export interface DeviceIdentity {
  /** `Device-Id`: a MAC address in lower case. */
  deviceId: string;
  /** `Client-Id`: a UUID. */
  clientId: string;
  /** Board and firmware version, as OTA is told. */
  board: string;
  version: string;
}

/** A locally administered MAC address of random digits. */
export function randomMac(): string {
  return `02:${randomUUID().replaceAll('-', '').slice(0, 10).match(/../g)?.join(':') ?? ''}`;
}
