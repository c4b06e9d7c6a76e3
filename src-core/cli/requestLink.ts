import type { RunningRecord } from '../rpc/runningWorkbench.ts';

/** A new link to the window of a workbench that runs. @throws Error if the workbench refuses or does not answer */
export async function requestLink(record: RunningRecord): Promise<{ origin: string; link: string }> {
  return { origin: record.origin, link: await ask(record, '/link') };
}

/**
 * The `file:` URL of a file that forwards a browser to a new link. The workbench that runs removes the file.
 * @throws Error if the workbench refuses, does not answer or cannot write the file
 */
export function requestLinkFile(record: RunningRecord): Promise<string> {
  return ask(record, '/link-file');
}

/** Signs all browsers of a workbench that runs out. @throws Error if the workbench refuses or does not answer */
export async function requestSignOut(record: RunningRecord): Promise<void> {
  await ask(record, '/sign-out');
}

/**
 * Asks a workbench that `toolwire mcp` has opened to leave the data directory to the desktop app. False if it stays; true if it
 * leaves, or ends before it has answered.
 */
export async function requestYield({ origin, bearerToken }: RunningRecord): Promise<boolean> {
  const response = await post(origin, '/yield', bearerToken).catch(() => undefined);
  return response?.ok ?? true;
}

async function ask({ origin, bearerToken }: RunningRecord, path: string): Promise<string> {
  const response = await post(origin, path, bearerToken);
  const text = await response.text();
  if (!response.ok)
    throw new Error(`The workbench at ${origin} refused ${path}: ${response.status} ${text.slice(0, 200)}`);
  return text;
}

function post(origin: string, path: string, bearerToken: string): Promise<Response> {
  return fetch(`${origin}${path}`, { method: 'POST', headers: { authorization: `Bearer ${bearerToken}` } });
}
