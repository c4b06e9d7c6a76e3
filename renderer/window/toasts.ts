import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

interface Toast {
  id: number;
  kind: 'ok' | 'warn' | 'error' | 'info';
  title: string;
  text?: string | undefined;
  action?: { label: string; run: () => void } | undefined;
}

/** Notices of what finished out of sight. Never of what the view already shows. */
export const useToasts = defineStore('toasts', () => {
  const list = shallowRef<readonly Toast[]>([]);
  let nextId = 1;
  return {
    list,
    show(toast: Omit<Toast, 'id'>): void {
      list.value = [...list.value.slice(-3), { ...toast, id: nextId++ }];
    },
    /** Says that something the user asked for failed, with the reason as the engine gave it. */
    fail(title: string, cause: unknown): void {
      this.show({ kind: 'error', title, text: cause instanceof Error ? cause.message : String(cause) });
    },
    dismiss(id: number): void {
      list.value = list.value.filter((toast) => toast.id !== id);
    },
  };
});
