/** MCP hosts: their tokens, and their configuration files. */
export const hosts = {
  'hosts.tooMany': ({ most }: { most: number }) =>
    `There are ${most} hosts already. Revoke one that is not used first.`,
  'hosts.unknown': 'There is no such host any more.',
  'hosts.notWritable': ({ program }: { program: string }) =>
    `The configuration of ${program} is not written by Toolwire. Copy the text instead.`,
  'hosts.badConfig': ({ file }: { file: string }) =>
    `${file} is not valid JSON, so it was not changed. Correct it, or copy the text by hand.`,
};
