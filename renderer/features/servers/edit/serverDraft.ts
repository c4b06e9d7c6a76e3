import { t } from '../../../i18n/index.ts';
import type { ServerConfig, ServerEra } from '../../../../src-core/contract/types.ts';
import { signInConfigOf, signInDraftOf, signInProblemsOf, type SignInDraft } from './signInDraft.ts';

/** The fields of the form. Arguments are one a line. */
export interface ServerDraft {
  name: string;
  type: ServerConfig['type'];
  command: string;
  args: string;
  cwd: string;
  url: string;
  env: { name: string; value?: string | undefined }[];
  headers: { name: string; value?: string | undefined }[];
  signIn: SignInDraft;
  era: 'auto' | ServerEra;
  /** Variables such as `${env:NAME}` are replaced in its texts. */
  hasVariables: boolean;
}

const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '');
const kept = (values: { name: string }[] = []): { name: string }[] => values.map(({ name }) => ({ name }));

/** The draft of a server that exists, or of a new one. Stored secrets are undefined values. */
export function draftOf(config?: ServerConfig, hasVariables = false): ServerDraft {
  const stdio = config?.type === 'stdio' ? config : undefined;
  const remote = config?.type === 'stdio' ? undefined : config;
  return {
    name: config?.name ?? '',
    type: config?.type ?? 'stdio',
    command: stdio?.command ?? '',
    args: (stdio?.args ?? []).join('\n'),
    cwd: stdio?.cwd ?? '',
    url: remote?.url ?? '',
    env: kept(stdio?.env),
    headers: kept(remote?.headers),
    signIn: signInDraftOf(remote?.signIn),
    era: config?.era ?? 'auto',
    hasVariables,
  };
}

/**
 * The draft with the words after the program as arguments, if the command is a whole command line such as `npx -y server`. A
 * command whose first word has a slash or a quotation mark is kept: it may be a path with spaces.
 */
export function splitCommandLine<D extends Pick<ServerDraft, 'command' | 'args'>>(draft: D): D {
  const [, command, rest] = /^\s*([^\s/\\"']+)\s+(\S.*)$/s.exec(draft.command) ?? [];
  if (command === undefined || rest === undefined) return draft;
  const args = [...rest.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, double, single]) => double ?? single ?? word);
  return { ...draft, command, args: [...args, ...lines(draft.args)].join('\n') };
}

/** What is wrong with the draft, by field. */
export function problemsOf(draft: ServerDraft): Partial<Record<'name' | 'command' | 'url', string>> {
  const url = URL.canParse(draft.url) ? new URL(draft.url) : undefined;
  const schemes = draft.type === 'websocket' ? (['ws:', 'wss:'] as const) : (['http:', 'https:'] as const);
  const isOpen = draft.hasVariables && draft.url.includes('${');
  const needsUrl = draft.type !== 'stdio' && !isOpen && !schemes.some((scheme) => scheme === url?.protocol);
  return {
    ...(draft.name.trim() === '' && { name: t('servers.problem.name') }),
    ...(draft.type === 'stdio' && draft.command.trim() === '' && { command: t('servers.problem.command') }),
    ...(needsUrl && { url: t('servers.problem.url', { one: `${schemes[0]}//`, other: `${schemes[1]}//` }) }),
  };
}

/** Whether the draft can be saved. */
export function isSound(draft: ServerDraft): boolean {
  const { type, signIn } = draft;
  const ofSignIn = hasSignIn(type) ? signInProblemsOf(signIn) : {};
  return Object.keys({ ...problemsOf(draft), ...ofSignIn }).length === 0;
}

/** Whether Toolwire can sign in at servers of this transport. */
export function hasSignIn(type: ServerConfig['type']): boolean {
  return type === 'http' || type === 'sse';
}

/** The configuration that the draft describes. Rows without a name are left out. */
export function configOf(draft: ServerDraft): ServerConfig {
  const named = (values: ServerDraft['env']): { name: string; value?: string }[] =>
    values.flatMap(({ name, value }) =>
      name.trim() === '' ? [] : [{ name: name.trim(), ...(value !== undefined && { value }) }],
    );
  const name = draft.name.trim();
  const era = draft.era === 'auto' ? {} : { era: draft.era };
  if (draft.type !== 'stdio') {
    const signIn = hasSignIn(draft.type) ? signInConfigOf(draft.signIn) : undefined;
    const place = { url: draft.url.trim(), headers: named(draft.headers) };
    return { name, type: draft.type, ...place, ...(signIn && { signIn }), ...era };
  }
  const cwd = draft.cwd.trim();
  return {
    name,
    type: 'stdio',
    command: draft.command.trim(),
    args: lines(draft.args),
    ...(cwd !== '' && { cwd }),
    env: named(draft.env),
    ...era,
  };
}
