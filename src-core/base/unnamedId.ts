/** Ids of devices that send no Device-Id begin with it. Device-Ids are in lower case: no device can choose such an id. */
export const unnamedPrefix = 'Unnamed-';

/** Whether it is the id of a device that sends no Device-Id: another one can have it at another node. */
export const isUnnamedId = (deviceId: string): boolean => deviceId.startsWith(unnamedPrefix);
