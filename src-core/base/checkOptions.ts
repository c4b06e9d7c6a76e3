/**
 * Refuses options that nothing reads. `known` lists every option of `T`.
 * @throws TypeError that names the option and, if one is spelled alike, the right one: `default_value` is `defaultValue`
 */
export function checkOptions<T extends object>(what: string, options: T, known: Readonly<Record<keyof T, true>>): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${what}: the options must be an object, such as { ${Object.keys(known).join(', ')} }.`);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const meant = Object.keys(known).find((option) => plain(option) === plain(name));
    const remedy = meant === undefined ? `Its options are: ${Object.keys(known).join(', ')}.` : `Write "${meant}".`;
    throw new TypeError(`${what} has no option "${name}". ${remedy}`);
  }
}

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
