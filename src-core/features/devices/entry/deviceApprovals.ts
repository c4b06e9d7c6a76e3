/**
 * Whom a person has let in: a device's `Client-Id` (empty where it names none) by its `Device-Id`. Both, since a
 * Device-Id is on every label and in every Wi-Fi frame, and a Client-Id is drawn at random on the device. A `Map` is one.
 */
export type DeviceApprovals = Pick<Map<string, string>, 'get' | 'set' | 'delete'>;
