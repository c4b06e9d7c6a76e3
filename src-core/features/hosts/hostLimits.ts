import type { Tool } from '@modelcontextprotocol/server';

import type { HostFinding } from '../../contract/hosts.ts';

interface HostLimits {
  host: string;
  /** The prefix that the host adds to each name. */
  prefix: string;
  maxName: number;
  characters: RegExp;
  /** What happens to a tool whose name does not fit. */
  badName: HostFinding['effect'];
  tools?: { most: number; effect: HostFinding['effect'] };
  /** Characters of a description that reach its model: github.com/anthropics/claude-code/issues/87650. */
  maxDescription?: number;
  /** Seconds after which it ends a call: github.com/anthropics/claude-code/issues/22542. */
  maxSeconds?: number;
  /** It leaves out tools whose schema has `anyOf`, `oneOf` or `allOf` at the top, as reported: github.com/opentokenz/mcpx/issues/28. */
  skipsUnions?: boolean;
}

/** What hosts take, if our server is called `toolwire` in their configuration. */
const limits: readonly HostLimits[] = [
  {
    host: 'Claude Code',
    prefix: 'mcp__toolwire__',
    maxName: 64,
    characters: /^(?!.*__)[A-Za-z0-9_-]+$/,
    badName: 'left-out',
    tools: { most: 128, effect: 'left-out' },
    maxDescription: 2_048,
    skipsUnions: true,
  },
  {
    host: 'Claude Desktop',
    prefix: '',
    maxName: 64,
    characters: /^[A-Za-z0-9_-]+$/,
    badName: 'refused',
    maxSeconds: 60,
  },
  {
    host: 'VS Code',
    prefix: '',
    maxName: 64,
    characters: /^[A-Za-z0-9_-]+$/,
    badName: 'left-out',
    tools: { most: 128, effect: 'refused' },
  },
  {
    host: 'Cursor',
    prefix: 'toolwire',
    maxName: 60,
    characters: /^[A-Za-z0-9_]+$/,
    badName: 'left-out',
    tools: { most: 40, effect: 'warning' },
  },
  { host: 'Codex', prefix: '', maxName: 64, characters: /^[A-Za-z0-9_-]+$/, badName: 'left-out', maxSeconds: 60 },
];

/** What hosts do not take of a list: of each tool, by its definition, its place in the list, and the time limit of its calls. */
export function findingsOf(
  tool: Pick<Tool, 'name' | 'description' | 'inputSchema'>,
  { place, timeoutMs }: { place: number; timeoutMs: number },
): HostFinding[] {
  const { name, description = '', inputSchema } = tool;
  const hasUnion = ['anyOf', 'oneOf', 'allOf'].some((key) => Object.hasOwn(inputSchema, key));
  return limits.flatMap(
    ({ host, prefix, maxName, characters, badName, tools, maxDescription, maxSeconds, skipsUnions }) => {
      const found: HostFinding[] = [];
      if (prefix.length + name.length > maxName)
        found.push({ host, effect: badName, code: 'name-too-long', limit: maxName - prefix.length });
      if (!characters.test(name)) found.push({ host, effect: badName, code: 'name-characters' });
      if (skipsUnions === true && hasUnion) found.push({ host, effect: 'left-out', code: 'schema-union' });
      if (maxDescription !== undefined && description.length > maxDescription)
        found.push({ host, effect: 'cut', code: 'description-too-long', limit: maxDescription });
      // If our limit is shorter, the host receives our answer.
      if (maxSeconds !== undefined && timeoutMs >= maxSeconds * 1_000)
        found.push({ host, effect: 'gives-up', code: 'too-slow', limit: maxSeconds });
      if (tools !== undefined && place >= tools.most)
        found.push({ host, effect: tools.effect, code: 'too-many', limit: tools.most });
      return found;
    },
  );
}
