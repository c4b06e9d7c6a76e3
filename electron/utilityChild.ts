import { childEnv, createEndReader, workEntry, type StartChild, type WorkMessage } from '../src-core/base/workChild.ts';
import type { UtilityProcessPart } from './electronParts.ts';

/** The name of such a process in Electron's events and metrics. */
export const workName = 'Toolwire work';

/**
 * Starts child processes as utility processes of Electron. Call what it returns only once the app is ready. The app does not
 * wait for utility processes when it quits.
 */
export function createUtilityChildren(utilityProcess: UtilityProcessPart): StartChild {
  return ({ heapMb, onMessage, onEnd }) => {
    const child = utilityProcess.fork(workEntry, [], {
      env: childEnv(),
      // Chromium passes these on as switches of the process, and V8 reads `--js-flags`.
      execArgv: [`--js-flags=--max-old-space-size=${heapMb}`],
      serviceName: workName,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const end = createEndReader();
    child.stderr?.on('data', (text: Buffer | string) => end.add(String(text)));
    child.on('error', (type, location) => end.add(`${type} of V8: ${location}\n`));
    child.on('message', (message) => onMessage(message as WorkMessage));
    child.on('exit', (code) =>
      onEnd(end.read(`exit code ${code}; it crashed, or needed more than ${heapMb} MB of memory`)),
    );
    // Before that event, Electron ignores `kill`.
    let isKilled = false;
    child.on('spawn', () => isKilled && child.kill());
    return {
      send: (message) => child.postMessage(message),
      setNeeded: () => undefined,
      kill() {
        isKilled = true;
        child.kill();
      },
    };
  };
}
