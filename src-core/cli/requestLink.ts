import type { RunningRecord } from '../api/runningWorkbench.ts';

/**
 * A new link to the window of a workbench that runs.
 * @throws Error where it gives none.
 */
export async function requestLink({ origin, bearerToken }: RunningRecord): Promise<{ origin: string; link: string }> {
  const response = await fetch(`${origin}/link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearerToken}` },
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`The workbench at ${origin} gave no link: ${response.status} ${text.slice(0, 200)}`);
  return { origin, link: text };
}
