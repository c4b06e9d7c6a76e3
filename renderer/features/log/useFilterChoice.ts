import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';

/** What the user chose in the log's filters. */
export interface FilterChoice {
  direction: Ref<'both' | 'in' | 'out' | undefined>;
  types: ShallowRef<ReadonlySet<string>>;
  methods: ShallowRef<ReadonlySet<string>>;
  /** As written. */
  idText: Ref<string>;
  rpcId: ComputedRef<number | undefined>;
  /** Filters in use. */
  count: ComputedRef<number>;
  clear(): void;
}

export function useFilterChoice(): FilterChoice {
  const direction = ref<'both' | 'in' | 'out' | undefined>('both');
  const types = shallowRef<ReadonlySet<string>>(new Set());
  const methods = shallowRef<ReadonlySet<string>>(new Set());
  const idText = ref('');
  const rpcId = computed(() =>
    /^\s*#?-?\d{1,15}\s*$/.test(idText.value) ? Number(idText.value.replace('#', '')) : undefined,
  );
  return {
    direction,
    types,
    methods,
    idText,
    rpcId,
    count: computed(
      () =>
        [direction.value !== 'both', types.value.size > 0, methods.value.size > 0, rpcId.value !== undefined].filter(
          Boolean,
        ).length,
    ),
    clear() {
      direction.value = 'both';
      types.value = new Set();
      methods.value = new Set();
      idText.value = '';
    },
  };
}
