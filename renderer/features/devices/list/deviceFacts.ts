import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import { t } from '../../../i18n/index.ts';

/** A device's origin and protocol, in a few words each. */
export function deviceFacts(device: DeviceInfo): string[] {
  const { remoteAddress, remote, protocolVersion, userAgent, virtual } = device;
  return [
    remote ? (remoteAddress ?? '') : remoteAddress === undefined ? '' : t('devices.fact.here'),
    protocolVersion === undefined ? '' : t('devices.fact.protocol', { version: protocolVersion }),
    // Virtual devices are only labelled as such.
    virtual ? t('devices.virtual') : (userAgent ?? ''),
  ].filter((fact) => fact !== '');
}
