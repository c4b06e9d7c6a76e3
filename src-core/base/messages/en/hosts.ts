/** MCP hosts: their tokens, and their configuration files. */
export const hosts = {
  'hosts.tooMany': ({ most }: { most: number }) =>
    `There are ${most} hosts already. First revoke one that is no longer used.`,
  'hosts.badAlias': ({ most }: { most: number }) =>
    `An alias consists of 1 to ${most} letters, digits and single underscores, and cannot begin or end with an underscore. Choose another one.`,
  'hosts.aliasTaken': ({ alias }: { alias: string }) =>
    `"${alias}" is or was the alias of another source, so hosts could confuse them. Choose another one.`,
  'hosts.sourceUnknown': ({ source }: { source: string }) => `The tools of "${source}" are no longer offered to hosts.`,
  'hosts.badName': ({ most }: { most: number }) =>
    `A name consists of 1 to ${most} letters, digits and single underscores. Choose another one.`,
  'hosts.nameTaken': ({ name }: { name: string }) =>
    `"${name}" is or was the name of another tool, so hosts could confuse them. Choose another one.`,
  'hosts.toolUnknown': ({ name }: { name: string }) => `The tool "${name}" is no longer offered to hosts.`,
  'hosts.unknown': 'This host no longer exists.',
  'hosts.notWritable': ({ program }: { program: string }) =>
    `Toolwire does not write the configuration of ${program}. Copy the text instead.`,
  'hosts.badConfig': ({ file }: { file: string }) =>
    `${file} is not valid JSON, so it was not changed. Correct it, or copy the text yourself.`,
};
