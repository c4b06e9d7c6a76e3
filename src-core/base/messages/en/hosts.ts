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
  'hosts.badConfig': ({ file, language }: { file: string; language: string }) =>
    `${file} is not valid ${language}, so it was not changed. Correct it, or copy the text yourself.`,
  'hosts.notObject': ({ file, key }: { file: string; key: string }) =>
    `"${key}" in ${file} is not an object, so the file was not changed. Correct it, or copy the text yourself.`,
  'hosts.notTable': ({ file, key }: { file: string; key: string }) =>
    `"${key}" in ${file} is not a table, so the file was not changed. Correct it, or copy the text yourself.`,
  'hosts.otherTable': ({ file }: { file: string }) =>
    `${file} has a table [mcp_servers.toolwire] with other content, so it was not changed. Replace that table with the copied text.`,
  'hosts.inlineTable': ({ file }: { file: string }) =>
    `${file} lists mcp_servers in one line, so it was not changed. Write each server as a table [mcp_servers.NAME] first.`,
};
