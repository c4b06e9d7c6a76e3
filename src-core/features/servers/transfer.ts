import { isAbsolute } from 'node:path';

import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { ServerOrigin } from '../../contract/serverConsent.ts';
import type { ServerConfig, servers as serversContract } from '../../contract/servers.ts';
import type { FeatureContext } from '../context.ts';
import { commandWord } from './configFiles/commandWord.ts';
import { valuesOf } from './configFiles/expandEndpoint.ts';
import { readServerConfigs, type ReadServerConfigs } from './configFiles/readServerConfigs.ts';
import type { ConfiguredServer } from './configFiles/types.ts';
import { placeOf } from './configFiles/secretParts.ts';
import { sameJson } from './configFiles/spelling.ts';
import { writeServerConfigs } from './configFiles/writeServerConfigs.ts';
import { eraOf, withEra } from './eraField.ts';
import { freeName } from './freeName.ts';
import type { ServerBook, ServerSource } from './serverBook.ts';

type Transfer = Pick<Implementation<typeof serversContract>, 'previewImport' | 'import' | 'export'>;

/** Servers from configuration files, and into them. */
export function createTransfer({
  book,
  add,
  clock,
}: Pick<FeatureContext, 'clock'> & {
  book: ServerBook;
  add: ServerBook['add'];
}): Transfer {
  return {
    async previewImport(given) {
      const { format, servers, problems } = readGiven(given);
      const names = new Set(book.list().map(({ name }) => name));
      const previews = servers.map(async (server) => {
        const { name, config, disabled } = server;
        const keptAs = freeName(name, (each) => names.has(each));
        names.add(keptAs);
        const same = await findSame(book, server);
        const whole =
          config.type === 'stdio' ? [config.command, ...config.args].map(commandWord).join(' ') : config.url;
        const place = placeOf(server);
        return {
          name,
          type: config.type,
          place,
          ...(place !== whole && { whole }),
          values: valuesOf(server),
          keptAs,
          ...(same !== undefined && { same }),
          ...(disabled === true && { disabled }),
        };
      });
      return {
        format,
        servers: await Promise.all(previews),
        problems: problems.map(({ level, message, line }) => ({
          level,
          message: line === undefined ? message : localize('configFiles.atLine', { line, problem: message }),
        })),
      };
    },
    async import({ names, path, by, era, ...given }) {
      if (path !== undefined && !isAbsolute(path))
        throw new RequestError(localize('servers.badPath', { path }), { field: 'path' });
      const { servers, format } = readGiven(given);
      const file = path ?? given.fileName;
      const how = file === undefined ? (by ?? (format === 'link' ? 'link' : 'text')) : 'file';
      const added: ServerOrigin = { how, file, at: clock.wall() };
      const wanted = servers.filter(({ name }) => names.includes(name));
      return {
        ids: await add(
          wanted.map((each) => ({
            config: { ...toConfig(each), ...(era && { era: era === 'auto' ? undefined : era }) },
            source: sourceOf(each, path),
            added,
          })),
        ),
      };
    },
    async export({ ids, format }) {
      const servers = await Promise.all(
        ids.map(async (id) => {
          const server = book.get(id);
          const { name, variables } = server;
          const { file: _file, ...source } = (await book.sourceOf(id)) ?? { format, variables, extra: {} };
          return { ...source, name, extra: withEra(source.extra, server.era), config: await book.writtenOf(server) };
        }),
      );
      return writeServerConfigs(servers, format, { hideSecrets: true });
    },
  };
}

function readGiven({ text, fileName, as }: Parameters<Transfer['previewImport']>[0]): ReadServerConfigs {
  const { servers, ...read } = readServerConfigs(text, fileName);
  return { ...read, servers: as === undefined ? servers : servers.map((server) => ({ ...server, name: as })) };
}

/** The kept server of this name, or of this name and a number, with this very configuration. */
async function findSame(book: ServerBook, { name, config, variables }: ConfiguredServer): Promise<string | undefined> {
  for (const server of book.list()) {
    if (server.variables !== variables || !(server.name === name || server.name.startsWith(`${name}-`))) continue;
    if (sameJson({ ...(await book.writtenOf(server)) }, { ...config })) return server.id;
  }
  return undefined;
}

/** What an entry contains in addition to the configuration, and its file. */
export function sourceOf(server: ConfiguredServer, path: string | undefined): ServerSource {
  const { name: _name, config: _config, ...source } = server;
  return path === undefined ? source : { ...source, file: { path, server } };
}

export function toConfig({ name, config, extra }: Pick<ConfiguredServer, 'name' | 'config' | 'extra'>): ServerConfig {
  const era = eraOf(extra);
  const named = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));
  if (config.type !== 'stdio')
    return { name, type: config.type, url: config.url, headers: named(config.headers), ...(era && { era }) };
  const { type, command, args, env, cwd } = config;
  return { name, type, command, args, env: named(env), ...(cwd !== undefined && { cwd }), ...(era && { era }) };
}
