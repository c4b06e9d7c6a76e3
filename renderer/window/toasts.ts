import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

interface Toast {
  id: number;
  kind: 'ok' | 'warn' | 'error' | 'info';
  title: string;
  text?: string | undefined;
  action?: { label: string; run: () => void } | undefined;
  /** Whether it still applies, from reactive state. It is hidden as soon as it does not. */
  applies?: (() => boolean) | undefined;
}

/** Notices of what finished out of sight. Never of what the view already shows. */
export const useToasts = defineStore('toasts', () => {
  const shown = shallowRef<readonly Toast[]>([]);
  const list = computed(() => shown.value.filter(({ applies }) => applies?.() !== false));
  let nextId = 1;
  return {
    list,
    show(toast: Omit<Toast, 'id'>): void {
      shown.value = [...list.value.slice(-3), { ...toast, id: nextId++ }];
    },
    /** Says that something the user asked for failed, with the reason as the engine gave it. */
    fail(title: string, cause: unknown): void {
      this.show({ kind: 'error', title, text: cause instanceof Error ? cause.message : String(cause) });
    },
    dismiss(id: number): void {
      shown.value = list.value.filter((toast) => toast.id !== id);
    },
  };
});
