import { t } from '../../i18n/index.ts';
import { panes } from '../../panes/index.ts';
import { useClosed } from '../../stores/closed.ts';
import { useNavigation, type PaneId } from '../../stores/navigation.ts';

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
