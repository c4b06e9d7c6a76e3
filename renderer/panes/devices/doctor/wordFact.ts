import { t } from '../../../i18n/index.ts';

/** A station's fact in the window's language: the engine's counts and versions are worded, a device's own words stay. */
export function wordFact(fact: string): string {
  const list = /^(\d+) tools?(?:, (\d+) pages?)?$/.exec(fact);
  if (list) {
    const tools = t('devices.captures.tools', {}, Number(list[1]));
    return list[2] === undefined ? tools : `${tools}, ${t('devices.doctor.pages', {}, Number(list[2]))}`;
  }
  return fact.replace(/^version (\d+)/, (_, version: string) => t('devices.doctor.version', { version }));
}
