/**
 * The devices that the user has approved: the `Client-Id` (empty if the device sends none) by `Device-Id`. Both are
 * needed: a Device-Id is on every label and in every Wi-Fi frame, a Client-Id is random. A `Map` can be passed.
 */
export type DeviceApprovals = Pick<Map<string, string>, 'get' | 'set' | 'delete'>;
