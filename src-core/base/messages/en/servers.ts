/** MCP servers that we connect to. */
export const servers = {
  'servers.unknown': 'There is no such server any more.',
  'servers.notReady': ({ name }: { name: string }) => `The server "${name}" is not ready. Start it first.`,
  'servers.changedMeanwhile': ({ name }: { name: string }) =>
    `The configuration of "${name}" has changed. Review it again.`,
  'servers.tooMany': ({ most }: { most: number }) => `There are ${most} servers already. Remove one first.`,
  'servers.badUrl': ({ url }: { url: string }) => `"${url}" is not an address that this transport can use.`,
  'servers.notWaiting': 'The server no longer waits for this answer.',
};
