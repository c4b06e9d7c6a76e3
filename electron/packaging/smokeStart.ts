/**
 * `node electron/packaging/smokeStart.ts COMMAND [ARGUMENT…]`: starts a package, waits until its workbench answers, makes one
 * call in it, and ends it. Exit code 0 if all of that succeeded.
 */
import { withStartedApp } from './startedApp.ts';

await withStartedApp(process.argv.slice(2), async ({ client }) => {
  const { shell, version, platform } = await client.workbench.info();
  const { status } = await client.calls.execute({
    callId: crypto.randomUUID(),
    toolName: 'clock_get_time',
    argsJson: '{}',
    origin: 'cli',
    confirmed: true,
  });
  if (shell !== 'electron' || status !== 'success') throw new Error(`shell ${shell}, call ${status}`);
  return `Toolwire ${version} on ${platform}: started and called`;
});
