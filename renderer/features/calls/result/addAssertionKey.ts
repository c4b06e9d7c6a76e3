import type { InjectionKey } from 'vue';

/** Offers a value of a result as an assertion of a saved call: its JSON path and its JSON. Provided if the result can be saved. */
export const addAssertionKey: InjectionKey<(value: { path: string; json: string }) => void> = Symbol('add assertion');
