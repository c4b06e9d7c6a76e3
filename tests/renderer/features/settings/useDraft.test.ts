import { expect, test } from 'vitest';
import { nextTick, ref } from 'vue';

import { useDraft } from '../../../../renderer/features/models/settings/useDraft.ts';

test('a field that is an object is compared by its value', async () => {
  const saved = ref({ label: 'A', session: { speed: '1' } });
  const { draft, isChanged, discard } = useDraft(() => ({
    label: saved.value.label,
    session: { ...saved.value.session },
  }));
  expect(isChanged.value).toBe(false);
  draft.session = { speed: '2' };
  expect(isChanged.value).toBe(true);

  saved.value = { label: 'B', session: { speed: '2' } };
  await nextTick();
  expect(draft).toEqual({ label: 'B', session: { speed: '2' } });
  expect(isChanged.value).toBe(false);

  saved.value = { label: 'B', session: { speed: '3' } };
  await nextTick();
  expect(draft.session).toEqual({ speed: '3' });
  draft.label = 'C';
  discard();
  expect(isChanged.value).toBe(false);
});
