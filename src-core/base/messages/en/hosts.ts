/** MCP hosts: their tokens, and their configuration files. */
export const hosts = {
  'hosts.tooMany': ({ most }: { most: number }) =>
    `There are ${most} hosts already. Revoke one that is not used first.`,
  'hosts.badAlias': ({ most }: { most: number }) =>
    `An alias has 1 to ${most} letters, digits and single underscores, and begins and ends without one. Choose another one.`,
  'hosts.aliasTaken': ({ alias }: { alias: string }) =>
    `"${alias}" is or was the alias of another source, which hosts may mistake it for. Choose another one.`,
  'hosts.sourceUnknown': ({ source }: { source: string }) => `Hosts are not offered tools of "${source}" any more.`,
  'hosts.badName': ({ most }: { most: number }) =>
    `A name has 1 to ${most} letters, digits and single underscores. Choose another one.`,
  'hosts.nameTaken': ({ name }: { name: string }) =>
    `"${name}" is or was the name of another tool, so hosts could confuse them. Choose another one.`,
  'hosts.toolUnknown': ({ name }: { name: string }) => `Hosts are not offered a tool "${name}" any more.`,
  'hosts.unknown': 'There is no such host any more.',
  'hosts.notWritable': ({ program }: { program: string }) =>
    `The configuration of ${program} is not written by Toolwire. Copy the text instead.`,
  'hosts.badConfig': ({ file }: { file: string }) =>
    `${file} is not valid JSON, so it was not changed. Correct it, or copy the text by hand.`,
};
