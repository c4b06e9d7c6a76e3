import type { InjectionKey, Ref } from 'vue';

/** What a pane knows of the place it stands in. */
export interface PaneHost {
  /** Whether the keys of a pane are this one's. */
  inFront: Readonly<Ref<boolean>>;
  /** px. */
  width: Readonly<Ref<number>>;
  /** px from its right edge to the window's. */
  right: Readonly<Ref<number>>;
}

export const paneHostKey: InjectionKey<PaneHost> = Symbol('pane host');
