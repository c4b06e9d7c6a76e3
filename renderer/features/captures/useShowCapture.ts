import type { CaptureInfo } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useSettings } from '../../window/settingsStore.ts';

/** The panes that show captures. */
const panes = { gateway: 'gateway', realtime: 'realtime', mcp: 'servers' } as const;
export type PaneOfCaptures = 'devices' | (typeof panes)[keyof typeof panes];

/** The pane that shows the captures of an origin. */
export function paneOfCapture({ origin }: Pick<CaptureInfo, 'origin'>): PaneOfCaptures {
  return origin === undefined ? 'devices' : panes[origin];
}

/** Opens captures, each in the pane of its origin. */
export function useShowCapture(): {
  /** Opens the pane of this capture, with it chosen; Devices if there is no such capture. */
  show: (captureId: string) => Promise<void>;
  showIn: (pane: PaneOfCaptures, captureId: string) => void;
} {
  const { client } = injectConnection();
  const navigation = useNavigation();
  const settings = useSettings();

  function showIn(pane: PaneOfCaptures, captureId: string): void {
    settings.remember(`${pane}.chosen`, `capture:${captureId}`);
    navigation.open(pane);
  }
  return {
    showIn,
    async show(captureId) {
      const capture = (await client.captures.list()).find(({ id }) => id === captureId);
      showIn(paneOfCapture(capture ?? {}), captureId);
    },
  };
}
