import { t } from '../../../i18n/index.ts';

/** A station's fact in the window's language: the engine's counts and versions are worded, a device's own words stay. */
export function wordFact(fact: string): string {
  const list = /^(\d+) tools?(?:, (\d+) pages?)?$/.exec(fact);
  if (list) {
    const tools = t('devices.captures.tools', {}, Number(list[1]));
    if (list[2] === undefined) return tools;
    return `${tools}${t('devices.doctor.comma')}${t('devices.doctor.pages', {}, Number(list[2]))}`;
  }
  const hello = /^version (\d+)(.*)$/s.exec(fact);
  if (!hello) return fact;
  const [, version = '', rest = ''] = hello;
  return t('devices.doctor.version', { version }) + rest.replaceAll(', ', t('devices.doctor.comma'));
}
