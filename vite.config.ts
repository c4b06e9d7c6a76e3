/** One build of everything (`vite build --app`): the window, the host that runs in Node and Electron, the preload. */
import { chmodSync, copyFileSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type EnvironmentOptions } from 'vite';

import { vuePlugin } from './.config/vuePlugin.ts';
import { bundledPackages, watchBundledPackages } from './electron/packaging/notices/bundledPackages.ts';
import { writeNotices } from './electron/packaging/notices/writeNotices.ts';

const suite = 'node_modules/@modelcontextprotocol/conformance';
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Runs under Node 24, alone or inside Electron. Every package is bundled, so that dist/ needs no node_modules. */
const host: EnvironmentOptions = {
  consumer: 'server',
  resolve: { noExternal: true, external: ['electron'] },
  // ws would look for its optional native helpers.
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
  build: {
    outDir: path('dist'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: {
        cli: path('src-core/cli.ts'),
        core: path('src-core/core.ts'),
        device: path('src-core/device.ts'),
        converters: path('src-core/converters.ts'),
        realtime: path('src-core/realtime.ts'),
        mcp: path('src-core/mcp.ts'),
        'gateway-client': path('src-core/gatewayClient.ts'),
        moduleWorker: path('src-core/registry/modules/moduleWorker.ts'),
        databaseWorker: path('src-core/store/databaseWorker.ts'),
        worker: path('src-core/worker.ts'),
        // It reads dist/requirements.
        'conformance/index': path(`${suite}/dist/index.js`),
        'electron/main': path('electron/main.ts'),
      },
      // The code that starts the workers is in shared chunks and looks in its own folder. The names of chunks tell the
      // package's file list (electron-builder.yml) that they are not entries.
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].chunk.js' },
    },
  },
};

/** One CommonJS file in a folder of its own: a sandboxed preload can be nothing else. */
const preload: EnvironmentOptions = {
  consumer: 'server',
  resolve: { noExternal: true, external: ['electron'] },
  build: {
    outDir: path('dist/preload'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'chrome140',
    minify: false,
    rolldownOptions: {
      input: { preload: path('electron/preload.ts') },
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
};

const watching = watchBundledPackages(path('.'));

export default defineConfig({
  root: path('renderer'),
  // app:// and http:// serve the same files.
  base: './',
  plugins: [vuePlugin(), watching],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    __VUE_I18N_FULL_INSTALL__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
    // Messages are interpreted, not compiled with new Function: the page's policy has no 'unsafe-eval'.
    __INTLIFY_JIT_COMPILATION__: 'true',
    __INTLIFY_DROP_MESSAGE_COMPILER__: 'false',
  },
  worker: { format: 'es', plugins: () => [watching] },
  environments: {
    client: {
      build: {
        outDir: path('dist/renderer'),
        emptyOutDir: false,
        target: 'chrome140',
        // Nothing inline: the policy lets fonts and scripts come from files only.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // Monaco, which loads after the first paint.
        chunkSizeWarningLimit: 8192,
        // Few files: the window asks for each file by itself, and most modules are small.
        rolldownOptions: {
          output: {
            // Rolldown names a shared chunk after all panes that share it.
            chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
            assetFileNames: ({ names: [name = ''] }) => `assets/${name.replace(/(~.*)?\.\w+$/, '')}-[hash][extname]`,
            codeSplitting: {
              groups: [
                { name: 'start', tags: ['$initial'] },
                {
                  name: 'shared',
                  test: /[\\/](renderer|src-core|@?lucide|reka-ui)[\\/]/,
                  minShareCount: 2,
                  entriesAware: true,
                  entriesAwareMergeThreshold: 100_000,
                },
              ],
            },
          },
        },
      },
    },
    host,
    preload,
  },
  builder: {
    async buildApp(builder) {
      rmSync(path('dist'), { recursive: true, force: true });
      for (const environment of Object.values(builder.environments)) {
        if (environment.name !== 'ssr') await builder.build(environment);
      }
      writeNotices({
        packages: bundledPackages(builder),
        addedDir: path('electron/packaging/licences'),
        file: path('dist/renderer/third-party-notices.txt'),
      });
      cpSync(path(`${suite}/requirements`), path('dist/requirements'), { recursive: true });
      // Linux windows load it; the other systems take the icon from the package.
      copyFileSync(path('electron/icons/256x256.png'), path('dist/electron/icon.png'));
      chmodSync(path('dist/cli.js'), 0o755);
    },
  },
});
