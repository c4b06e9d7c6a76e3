import type { MenuItem } from '../MenuItems.vue';

/** Does what a menu offers for the pressed key, such as F2 or Delete on a row. Returns whether there was something. */
export function runByKey(event: KeyboardEvent, items: readonly MenuItem[]): boolean {
  const item = items.find(({ keys, disabled }) => keys === event.key.toLowerCase() && disabled !== true);
  if (item === undefined) return false;
  event.preventDefault();
  item.run();
  return true;
}
