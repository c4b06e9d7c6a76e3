import type { ProxySettings, Settings } from '../../../contract/types.ts';
import { proxiesOf, type IsProxy } from '../../../server/proxied.ts';
import type { FeatureContext } from '../../context.ts';

/** The load balancer before the port for devices: as named at the start, or else in the settings. */
export function loadBalancer(
  { settings, events }: Pick<FeatureContext, 'events'> & { settings: () => Pick<Settings, 'proxy'> },
  named: ProxySettings | undefined,
) {
  const used = (): ProxySettings => named ?? settings().proxy;
  let trusted = proxiesOf(used().trusted);
  events.on('settingsChanged', ({ isOf }) => {
    trusted = proxiesOf(used().trusted);
    if (isOf('proxy')) events.emit('changed', 'info');
  });
  const isProxy: IsProxy = (address) => trusted(address);
  return {
    isProxy,
    /** Empty if there is none. */
    publicUrl: () => used().publicUrl,
    /** The name that devices of other machines write in `Host`. */
    hostNames: () => (used().publicUrl === '' ? [] : [new URL(used().publicUrl).hostname]),
  };
}
