import { windowCommands, type WindowCommand } from '../../src-core/contract/types.ts';

/** What can be asked of the window that the page stands in: nothing in a browser, whose own menus do it. */
export function useWindowCommands(host: Pick<Window, 'toolwireShell' | 'postMessage' | 'origin'> = window): {
  offered: readonly WindowCommand[];
  ask: (command: WindowCommand) => void;
} {
  return {
    offered: host.toolwireShell?.kind === 'electron' ? windowCommands : [],
    ask: (command) =>
      host.postMessage({ type: 'toolwire:window', command }, host.origin === 'null' ? '*' : host.origin),
  };
}
