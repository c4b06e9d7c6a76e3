import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin, ViteBuilder } from 'vite';

/** What the bundler adds by itself: module names without a file, and the package whose code they are. */
const helpers: readonly [prefix: string, name: string][] = [
  ['\0vite/', 'vite'],
  ['\0rolldown/', 'rolldown'],
  ['\0plugin-vue:', '@vitejs/plugin-vue'],
];

/** Folder of a package, and the folders in it out of which something is bundled. */
export type BundledPackages = ReadonlyMap<string, ReadonlySet<string>>;

const pluginName = 'toolwire:bundled-packages';

/**
 * Remembers out of which packages something goes into the bundles: code that was not shaken off, styles, and files such
 * as fonts and WebAssembly. Workers are builds of their own, and need the plugin, too.
 */
export function watchBundledPackages(root: string): Plugin<{ packages: BundledPackages }> {
  const packages = new Map<string, Set<string>>();

  function remember(id: string): void {
    const file = fileOf(id, root);
    const folder = packageFolder(file);
    if (folder === undefined) return;
    packages.set(folder, (packages.get(folder) ?? new Set()).add(dirname(file)));
  }

  return {
    name: pluginName,
    api: { packages },
    generateBundle(_options, bundle) {
      for (const id of this.getModuleIds()) if (/\.css(\?|$)/.test(id)) remember(id);
      for (const output of Object.values(bundle)) {
        if (output.type === 'asset') {
          for (const name of output.originalFileNames) remember(resolve(this.environment.config.root, name));
        } else {
          for (const [id, { renderedLength }] of Object.entries(output.modules)) if (renderedLength > 0) remember(id);
        }
      }
    },
  };
}

/** What the plugin has seen in all environments of a build; each has read the configuration again, and has its own plugin. */
export function bundledPackages({ environments }: Pick<ViteBuilder, 'environments'>): BundledPackages {
  const all = new Map<string, Set<string>>();
  for (const { plugins } of Object.values(environments)) {
    const watching = plugins.find(({ name }) => name === pluginName) as
      | ReturnType<typeof watchBundledPackages>
      | undefined;
    for (const [folder, inner] of watching?.api?.packages ?? [])
      all.set(folder, new Set([...(all.get(folder) ?? []), ...inner]));
  }
  return all;
}

/** The file of a module by the bundler's name for it, which may begin with a null byte and end with a query. */
function fileOf(id: string, root: string): string {
  const helper = helpers.find(([prefix]) => id.startsWith(prefix));
  if (helper) return join(root, 'node_modules', helper[1], 'package.json');
  return id.replace(/^\0/, '').split('?', 1).join('');
}

/** The folder of the package that a file belongs to; undefined for a file of our own. */
function packageFolder(file: string): string | undefined {
  const match = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(file);
  if (match === null) return undefined;
  const folder = match[1] ?? '';
  if (!existsSync(join(folder, 'package.json')))
    throw new Error(`${file} is bundled, and ${folder} has no package.json.`);
  return folder;
}
