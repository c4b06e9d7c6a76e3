import type { Opening } from '../../src-core/contract/types.ts';
import { useShowCapture } from '../features/captures/useShowCapture.ts';
import { useTopic } from '../client/useTopic.ts';
import { panes } from './panes.ts';
import { injectConnection } from '../client/connectionStore.ts';
import { useNavigation } from '../window/navigation.ts';
import { useSandbox } from '../features/executor/sandboxStore.ts';
import { useSettings } from '../window/settingsStore.ts';
import { useTour } from './tour/tourStore.ts';

/** ms that a window without the focus waits for the other windows. */
const elsewhereMs = 300;

/**
 * Shows what the system asked the desktop app to open: a file or a `toolwire://` link. It only navigates and never runs
 * anything. A window in a browser leaves this to the desktop app's windows.
 */
export function useOpenings(host: Pick<Window, 'toolwireShell'> = window): void {
  if (host.toolwireShell?.kind !== 'electron') return;
  const { client } = injectConnection();
  const navigation = useNavigation();
  const sandbox = useSandbox();
  const settings = useSettings();
  const tour = useTour();
  const captures = useShowCapture();

  function show(opening: Opening): void {
    if (opening.kind === 'device') {
      settings.remember('devices.chosen', `device:${opening.deviceId}`);
      return navigation.open('devices');
    }
    if (opening.kind === 'capture') return void captures.show(opening.captureId);
    if (opening.kind === 'tool') return sandbox.load({ qualifiedName: opening.qualifiedName });
    if (opening.kind === 'help') {
      if (opening.topic === 'tour') tour.begin();
      else navigation.overlay = 'shortcuts';
      return undefined;
    }
    // Collections are shown beside the calls in the Executor.
    const pane = opening.kind === 'collection' ? 'executor' : opening.pane;
    const entry = panes.find(({ id }) => id === pane);
    if (entry) navigation.open(entry.id);
  }

  function take(): void {
    client.workbench.takeOpenings().then(
      (openings) => openings.forEach(show),
      // The connection was lost: pending openings are requested again with the next one.
      () => undefined,
    );
  }

  // If there are several windows, the focused one shows it. Another one does so only if none has the focus.
  useTopic(['openings'], () => {
    if (document.hasFocus()) take();
    else setTimeout(take, elsewhereMs);
  });
}
