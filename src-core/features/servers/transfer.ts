import type { Implementation } from '../../contract/implementation.ts';
import type { ServerConfig, servers as serversContract } from '../../contract/servers.ts';
import { readServerConfigs } from './configFiles/readServerConfigs.ts';
import { writeServerConfigs } from './configFiles/writeServerConfigs.ts';
import type { ServerBook, ServerSource } from './serverBook.ts';

/** Servers from configuration files, and into them. */
export function createTransfer({
  book,
  add,
}: {
  book: ServerBook;
  add: (config: ServerConfig, source: ServerSource) => Promise<{ id: string }>;
}): Pick<Implementation<typeof serversContract>, 'previewImport' | 'import' | 'export'> {
  return {
    previewImport({ text, fileName }) {
      const { format, servers, problems } = readServerConfigs(text, fileName);
      const names = new Set(book.list().map(({ name }) => name));
      return {
        format,
        servers: servers.map(({ name, config }) => ({
          name,
          type: config.type,
          // Whole: the user decides by it.
          place: config.type === 'stdio' ? [config.command, ...config.args].join(' ') : config.url,
          exists: names.has(name),
        })),
        problems: problems.map(({ message }) => message),
      };
    },
    async import({ text, fileName, names }) {
      const ids: string[] = [];
      for (const { name, config, ...source } of readServerConfigs(text, fileName).servers) {
        if (names.includes(name)) ids.push((await add(toConfig(name, config), source)).id);
      }
      return { ids };
    },
    async export({ ids, format }) {
      const servers = await Promise.all(
        ids.map(async (id) => {
          const server = book.get(id);
          const { name, variables } = server;
          const source = (await book.sourceOf(id)) ?? { format, variables, extra: {} };
          return { ...source, name, config: await book.writtenOf(server) };
        }),
      );
      return writeServerConfigs(servers, format, { hideSecrets: true });
    },
  };
}

function toConfig(
  name: string,
  config: ReturnType<typeof readServerConfigs>['servers'][number]['config'],
): ServerConfig {
  const named = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));
  if (config.type !== 'stdio') return { name, type: config.type, url: config.url, headers: named(config.headers) };
  const { type, command, args, env, cwd } = config;
  return { name, type, command, args, env: named(env), ...(cwd !== undefined && { cwd }) };
}
