/** Who may import whom (docs/architecture.md). Every rule fails the build. */
const core = '^src-core/';
const feature = (name) => `${core}${name}/`;

/** Features that must not know one another; they meet in tools/, server/ and workbench.ts. */
const peers = [
  'audio',
  'collections',
  'devices',
  'gateway',
  'chat',
  'mcp',
  'models',
  'realtime',
  'converters',
  'protocols',
  'store',
  'server',
];
const mayUse = {
  devices: ['server', 'deviceSide', 'audio'],
  gateway: ['server', 'models', 'engine'],
  chat: ['engine', 'protocols', 'models', 'store'],
  mcp: ['server'],
  converters: ['engine'],
  realtime: ['server', 'audio'],
};

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'core-stands-alone', severity: 'error', from: { path: core }, to: { path: '^(renderer|electron)/' } },
    {
      name: 'core-knows-no-shell',
      severity: 'error',
      from: { path: core },
      to: { path: '^node_modules/(electron|vue|pinia|monaco-editor)/' },
    },
    {
      // Optional peers of whoever uses toolwire/converters: they pass them in.
      name: 'agent-frameworks-are-passed-in',
      severity: 'error',
      from: { path: core },
      to: { path: '^node_modules/(@openai/agents|@langchain|ai)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'renderer-sees-only-the-contract',
      severity: 'error',
      from: { path: '^renderer/' },
      // Beside the contract, files of words, characters, limits and rules that import nothing else of the engine.
      to: {
        path: [core, '^electron/'],
        pathNot: `${core}(api/(contract|client|types)|chat/unusedArguments|devices/healthWords|models/promptLimits|protocols/blockSpans|server/isOrigin|tools/(dangerReasons|formatDuration|hiddenCharacters|nearestNames))\\.ts$`,
      },
    },
    {
      // What two panes share stands beside them: calls/, listener/, format/, files/, forms/, stores/.
      name: 'panes-apart',
      severity: 'error',
      from: { path: '^renderer/panes/([^/]+)/' },
      to: {
        path: '^renderer/panes/[^/]+/',
        pathNot: ['^renderer/panes/$1/', '^renderer/panes/parser/parserStore\\.ts$'],
      },
    },
    {
      name: 'no-zod-in-the-page',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^node_modules/(zod|@orpc/(server|contract))/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'monaco-only-in-editor',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/editor/' },
      to: { path: '^node_modules/monaco-editor/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'electron-not-renderer', severity: 'error', from: { path: '^electron/' }, to: { path: '^renderer/' } },
    {
      name: 'tools-is-the-ground',
      severity: 'error',
      from: { path: feature('tools') },
      to: { path: core, pathNot: feature('tools') },
    },
    {
      // A library of its own: the device's side must not come to know the server's.
      name: 'device-side-stands-alone',
      severity: 'error',
      from: { path: feature('deviceSide') },
      // Of tools/, only what knows nothing of tools: JSON, thrown values, options, order, files.
      to: {
        path: core,
        pathNot: [
          feature('deviceSide'),
          `${core}tools/(json|checkOptions|describeThrown|oneAfterAnother|readTextFile)\\.ts$`,
        ],
      },
    },
    {
      // A library of its own, for browsers too: of the gateway it takes the types of the messages alone.
      name: 'gateway-client-stands-alone',
      severity: 'error',
      from: { path: `${core}gatewayClient(/|\\.ts$)` },
      to: {
        path: '.',
        pathNot: [
          feature('gatewayClient'),
          `${core}tools/(json|oneAfterAnother)\\.ts$`,
          `${core}gateway/messages\\.ts$`,
        ],
      },
    },
    {
      name: 'engine-uses-tools-and-protocol-base',
      severity: 'error',
      from: { path: feature('engine') },
      to: { path: core, pathNot: [feature('tools'), feature('engine'), `${core}protocols/(base|registry)\\.ts$`] },
    },
    ...peers.map((name) => ({
      name: `${name}-keeps-to-itself`,
      severity: 'error',
      from: { path: feature(name) },
      to: { path: core, pathNot: [feature('tools'), feature(name), ...(mayUse[name] ?? []).map(feature)] },
    })),
    {
      name: 'a-protocol-knows-no-other',
      severity: 'error',
      from: { path: `${core}protocols/([^/]+)/` },
      to: { path: `${core}protocols/[^/]+/`, pathNot: `${core}protocols/$1/` },
    },
    {
      name: 'nothing-imports-the-top',
      severity: 'error',
      from: { path: core, pathNot: [feature('api'), feature('workbench'), `${core}[^/]+\\.ts$`, feature('cli')] },
      to: { path: [feature('api'), feature('workbench'), `${core}[^/]+\\.ts$`] },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', 'main\\.ts$', 'launch\\.ts$', 'preload\\.ts$', 'tsconfig'] },
      to: {},
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.vue', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
};
