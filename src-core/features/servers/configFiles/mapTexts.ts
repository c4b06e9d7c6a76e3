import { createJsonObject } from '../../../base/json.ts';
import type { ServerConfig } from './types.ts';

/** A configuration with each of its texts replaced. `field` is its place: `command`, `args[0]`, `env.NAME`, `url`, `headers.NAME`, `cwd`. */
export function mapTexts(config: ServerConfig, map: (text: string, field: string) => string): ServerConfig {
  const all = (of: string, values: Readonly<Record<string, string>>): Record<string, string> => {
    const result = createJsonObject() as Record<string, string>;
    for (const [name, text] of Object.entries(values)) result[name] = map(text, `${of}.${name}`);
    return result;
  };
  if (config.type !== 'stdio')
    return { ...config, url: map(config.url, 'url'), headers: all('headers', config.headers) };
  const { command, args, env, cwd } = config;
  return {
    ...config,
    command: map(command, 'command'),
    args: args.map((arg, at) => map(arg, `args[${at}]`)),
    env: all('env', env),
    ...(cwd !== undefined && { cwd: map(cwd, 'cwd') }),
  };
}
