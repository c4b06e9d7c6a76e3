/** Configuration files of MCP hosts: what cannot be read or written, and the remedy. */
export const configFiles = {
  'configFiles.empty': 'The text is empty. Paste a configuration, a link, a command line or a URL.',
  'configFiles.tooLong': ({ most }: { most: string }) =>
    `The text is longer than ${most} characters. Import a part of it.`,
  'configFiles.tooDeep': 'The JSON is nested too deeply.',
  'configFiles.atLine': ({ line, problem }: { line: number; problem: string }) => `Line ${line}: ${problem}`,
  'configFiles.nameExpected': 'A name in double quotes is expected.',
  'configFiles.colonExpected': 'A colon is expected after the name.',
  'configFiles.commaExpected': 'A comma is expected.',
  'configFiles.valueExpected': 'A value is expected.',
  'configFiles.notClosed': ({ bracket }: { bracket: string }) => `A ${bracket} is missing.`,
  'configFiles.somethingFollows': 'Text follows the end of the JSON. Remove it.',
  'configFiles.badEscape': 'A string contains an invalid escape or control character. Write a backslash as \\\\.',
  'configFiles.nameTwice': ({ name }: { name: string }) => `"${name}" occurs twice. Remove or rename one of them.`,
  'configFiles.badToml': ({ cause }: { cause: string }) => `The TOML is invalid: ${cause}.`,
  'configFiles.noServers':
    'No MCP servers were found. A file has them under mcpServers, servers or [mcp_servers.NAME]; a single server needs "command" or "url".',
  'configFiles.tooManyServers': ({ most }: { most: number }) =>
    `The file has more than ${most} servers. Import a part of it.`,
  'configFiles.tooManyArguments': ({ most }: { most: number }) =>
    `It has more than ${most.toLocaleString('en')} arguments. Remove some, or put them into a script.`,
  'configFiles.noName': 'A server has an empty name. Name it.',
  'configFiles.notEntry': ({ name }: { name: string }) => `"${name}" is not an object with "command" or "url".`,
  'configFiles.badEntry': ({ name, fault }: { name: string; fault: string }) => `"${name}" was not read. ${fault}`,
  'configFiles.unknownType': ({ type }: { type: string }) =>
    `The type "${type}" is unknown. Use stdio, http, sse or ws.`,
  'configFiles.neitherCommandNorUrl': 'It has neither "command" nor "url". Add one of them.',
  'configFiles.missing': ({ field }: { field: string }) => `"${field}" is missing.`,
  'configFiles.wrongType': ({ field, type }: { field: string; type: string }) => `"${field}" must be ${type}.`,
  'configFiles.type.string': 'a string',
  'configFiles.type.boolean': 'a boolean',
  'configFiles.type.array': 'an array',
  'configFiles.type.strings': 'an array of strings',
  'configFiles.type.object': 'an object',
  'configFiles.badUrl': ({ field }: { field: string }) =>
    `"${field}" must begin with http://, https://, ws:// or wss://.`,
  'configFiles.notFollowed': ({ name, field }: { name: string; field: string }) =>
    `Toolwire keeps "${field}" of "${name}", but does not use it. Add what it sets as variables or headers.`,
  'configFiles.unencrypted': ({ name }: { name: string }) =>
    `The connection to "${name}" is not encrypted: others on the network can read headers and calls. Use https:// or wss:// if the server supports it.`,
  'configFiles.packageWithPort': ({ type }: { type: string }) =>
    `The package is started first and then reached over ${type}. Start it yourself and add its URL.`,
  'configFiles.unknownPackage': ({ type }: { type: string }) =>
    `Packages of the type "${type}" cannot be started. Install it and add its command.`,
  'configFiles.badLink': "The link has no readable configuration. Copy the server's JSON instead.",
  'configFiles.severalLines': 'A command line has one line. End a line with a backslash to continue it.',
  'configFiles.shellLine': ({ character }: { character: string }) =>
    `Programs are started without a shell, so ${character} has no effect. Quote it, or use a script.`,
  'configFiles.urlWithArguments': 'Text follows the URL. Remove it, or add headers as JSON.',
  'configFiles.fieldLost': ({ name, field, format }: { name: string; field: string; format: string }) =>
    `The format ${format} cannot express "${field}" of "${name}". Set it in the host.`,
  'configFiles.noPackage': ({ name }: { name: string }) =>
    `"${name}" was not written: server.json describes only npx and uvx packages and HTTP or SSE servers.`,
  'configFiles.onlyPrograms': ({ name }: { name: string }) =>
    `Claude Desktop starts only programs from its file. Add "${name}" in its settings, under Connectors.`,
  'configFiles.renamed': ({ name, other }: { name: string; other: string }) =>
    `Another server is called "${name}", too. It is written as "${other}".`,
  'configFiles.inputTwice': ({ id }: { id: string }) =>
    `Two servers define the input "${id}" differently. The first definition is used.`,
};
