import type { ExportedToolRow, HostFinding } from '../../contract/hosts.ts';

interface HostLimits {
  host: string;
  /** What the host puts before each name. */
  prefix: string;
  maxName: number;
  characters: RegExp;
  /** What happens to a tool whose name does not fit. */
  badName: HostFinding['effect'];
  tools?: { most: number; effect: HostFinding['effect'] };
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
  },
  { host: 'Claude Desktop', prefix: '', maxName: 64, characters: /^[A-Za-z0-9_-]+$/, badName: 'refused' },
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
  { host: 'Codex', prefix: '', maxName: 64, characters: /^[A-Za-z0-9_-]+$/, badName: 'left-out' },
];

/** What hosts do not take of a list: of each tool, by its name and its place in the list. */
export function findingsOf(name: Pick<ExportedToolRow, 'name'>['name'], place: number): HostFinding[] {
  return limits.flatMap(({ host, prefix, maxName, characters, badName, tools }) => {
    const found: HostFinding[] = [];
    if (prefix.length + name.length > maxName)
      found.push({ host, effect: badName, code: 'name-too-long', limit: maxName - prefix.length });
    if (!characters.test(name)) found.push({ host, effect: badName, code: 'name-characters' });
    if (tools !== undefined && place >= tools.most)
      found.push({ host, effect: tools.effect, code: 'too-many', limit: tools.most });
    return found;
  });
}
