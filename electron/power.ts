import type { ElectronParts } from './electronParts.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';

/** Keeps the computer awake while a series runs, and checks the devices' connections after it has slept. */
export function followPower(
  workbench: Pick<ShellWorkbench, 'live' | 'onCalls' | 'checkConnections'>,
  { powerMonitor, powerSaveBlocker }: Pick<ElectronParts, 'powerMonitor' | 'powerSaveBlocker'>,
): void {
  let blocker: number | undefined;
  workbench.onCalls(() => {
    const runs = workbench.live().series > 0;
    if (runs) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  });
  powerMonitor.on('resume', () => workbench.checkConnections());
}
