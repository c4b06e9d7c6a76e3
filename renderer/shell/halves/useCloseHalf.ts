import { useNavigation, type PaneId } from '../../stores/navigation.ts';

/** Closes a half of the window; the focus goes on to the other one. */
export function useCloseHalf(): (pane: PaneId) => void {
  const navigation = useNavigation();
  return (pane) => navigation.closeHalf(pane);
}
