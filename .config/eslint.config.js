/** Vue's rules, and every rule for the scripts of components: oxlint (oxlint.json) checks all other TypeScript. */
import vue from 'eslint-plugin-vue';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';
import componentsParser from './componentsParser.js';
import toolwire from './literalSpread.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export default tseslint.config(
  { ignores: ['**/node_modules/**', '**/dist/**', '**/release/**', 'tests/.out/**', 'tests/**/fixtures/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.vue'],
    extends: [...tseslint.configs.strict],
    plugins: { toolwire },
    languageOptions: {
      parserOptions: {
        project: `${root}/renderer/tsconfig.json`,
        tsconfigRootDir: root,
        extraFileExtensions: ['.vue'],
      },
    },
    rules: {
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
      'max-lines': ['error', 400],
      'toolwire/no-literal-spread': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false, arguments: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': 'error',
    },
  },
  {
    files: ['{renderer,tests/renderer}/**/*.ts', '**/*.vue'],
    extends: [...vue.configs['flat/recommended']],
    // No rule asks for the types of the language, which would be listed for each expression of a template.
    languageOptions: { parserOptions: { parser: componentsParser, lib: [] } },
    rules: {
      'vue/no-v-html': 'error',
      'vue/multi-word-component-names': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/require-default-prop': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/attributes-order': 'off',
    },
  },
  {
    // The window's types are checked together with its tests, which run in Node.
    files: ['renderer/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        'Buffer',
        'clearImmediate',
        'global',
        'process',
        'require',
        'setImmediate',
        '__dirname',
        '__filename',
      ],
      'no-restricted-imports': ['error', { patterns: ['node:*'] }],
    },
  },
);
