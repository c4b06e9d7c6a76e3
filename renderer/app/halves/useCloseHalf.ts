import { t } from '../../i18n/index.ts';
import { panes } from '../panes.ts';
import { useClosed } from '../../features/trash/closedStore.ts';
import { useNavigation, type PaneId } from '../../window/navigation.ts';

/** Closes a half of the window, in a way that can be taken back. */
export function useCloseHalf(): (pane: PaneId) => void {
  const navigation = useNavigation();
  const closed = useClosed();
  return (pane) => {
    const { halves } = navigation;
    if (halves.length < 2) return;
    const entry = panes.find(({ id }) => id === pane);
    navigation.closeHalf(pane);
    closed.keep(entry ? t(entry.title) : pane, () => navigation.show(halves, pane));
  };
}
