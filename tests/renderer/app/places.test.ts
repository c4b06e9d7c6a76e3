import { expect, it } from 'vitest';
import { shallowRef } from 'vue';

import { usePlaces } from '../../../renderer/app/halves/usePlaces.ts';
import type { PaneId } from '../../../renderer/window/navigation.ts';

it('keeps a pane in place while the pane beside it changes', () => {
  const seen = shallowRef<readonly PaneId[]>(['executor']);
  const places = usePlaces(() => seen.value);
  const show = (...panes: PaneId[]): [PaneId, number][] => {
    seen.value = panes;
    return places.value.map(({ pane, key }) => [pane, key]);
  };
  expect(show('executor')).toEqual([['executor', 0]]);
  expect(show('executor', 'devices')).toEqual([
    ['executor', 0],
    ['devices', 1],
  ]);
  expect(show('chat', 'devices')).toEqual([
    ['chat', 0],
    ['devices', 1],
  ]);
  expect(show('devices')).toEqual([['devices', 1]]);
  expect(show('devices', 'chat')).toEqual([
    ['devices', 1],
    ['chat', 2],
  ]);
  expect(show('parser')).toEqual([['parser', 1]]);
});
