import vue from '@vitejs/plugin-vue';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Compiles components for the build and for the tests. Templates take their helpers from `renderer/templateRuntime.ts`. */
export function vuePlugin(): Plugin {
  const runtimeModuleName = fileURLToPath(new URL('../renderer/templateRuntime.ts', import.meta.url));
  return vue({ template: { compilerOptions: { runtimeModuleName } } });
}
