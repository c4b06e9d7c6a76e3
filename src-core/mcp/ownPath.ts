import { delimiter } from 'node:path';

/** Folders that npm and `node --run` put in front of PATH for what they start: programs of the package, not of the user. */
const ofNpm = /[/\\](?:node_modules[/\\]\.bin|node-gyp-bin)$/;

/** PATH as it was before npm or `node --run` started this process. */
export function readOwnPath({ PATH, npm_execpath, NODE_RUN_SCRIPT_NAME } = process.env): string | undefined {
  if (PATH === undefined || (npm_execpath ?? NODE_RUN_SCRIPT_NAME) === undefined) return PATH;
  let isLeading = true;
  const own = PATH.split(delimiter).filter((directory) => !(isLeading &&= ofNpm.test(directory)));
  return own.join(delimiter);
}
