/** Who may import whom (docs/architecture.md). Every rule fails the build. */
const core = '^src-core/';
const folder = (name) => `${core}${name}/`;

/** The layers of src-core, lowest first: what each may import beside itself. */
const layers = {
  base: [],
  contract: ['base'],
  schema: ['base'],
  registry: ['base', 'schema'],
  protocols: ['base', 'schema', 'registry'],
  engine: ['base', 'schema', 'registry'],
  store: ['base', 'contract', 'registry'],
  server: ['base'],
  audio: ['base'],
  realtime: ['base', 'schema', 'registry', 'server', 'audio'],
  mcp: ['base', 'schema', 'server'],
  converters: ['base', 'schema', 'registry', 'engine'],
};
const libraries = ['audio', 'deviceSide', 'gatewayClient', 'mcp', 'realtime'];
/** What every feature may import. */
const belowFeatures = [...Object.keys(layers).filter((name) => name !== 'converters'), 'contract', ...libraries];

/** Which features a feature may import. */
const featuresOf = {
  calls: ['chat', 'collections'],
  captures: ['calls', 'devices', 'frames', 'realtime', 'trash'],
  chat: ['calls', 'discovery', 'models', 'trash'],
  cluster: ['calls', 'devices'],
  collections: ['calls', 'captures', 'trash'],
  devices: ['frames', 'settings', 'trash', 'vision'],
  discovery: ['chat'],
  endpoint: ['frames', 'hosts'],
  frames: ['trash'],
  gateway: ['calls', 'chat', 'cluster', 'devices', 'frames', 'models', 'settings'],
  hosts: ['calls', 'devices', 'frames', 'servers', 'settings'],
  models: ['settings', 'trash'],
  parser: ['calls', 'chat'],
  realtime: ['calls', 'devices', 'discovery', 'frames', 'models', 'trash'],
  servers: ['calls', 'frames', 'models', 'settings', 'trash'],
  settings: [],
  trash: [],
  vision: ['calls', 'cluster', 'devices', 'models', 'trash'],
  workbench: [],
};

/** The same for the features of the window. */
const windowFeaturesOf = {
  calls: ['devices', 'discovery', 'executor', 'servers'],
  captures: ['calls', 'log', 'trash'],
  chat: ['calls', 'discovery', 'executor', 'models', 'parser', 'servers', 'trash'],
  collections: ['calls', 'cluster', 'discovery', 'executor', 'log', 'trash'],
  cluster: ['settings'],
  devices: ['calls', 'captures', 'cluster', 'log', 'trash', 'vision'],
  discovery: ['calls', 'devices', 'executor'],
  executor: ['calls', 'collections', 'devices', 'discovery', 'log', 'servers', 'trash', 'vision'],
  gateway: ['calls', 'captures', 'discovery', 'executor', 'log', 'models', 'trash'],
  hosts: ['calls', 'collections', 'devices', 'discovery', 'executor', 'log', 'servers', 'settings', 'trash'],
  log: ['calls'],
  models: ['settings', 'trash'],
  parser: ['calls', 'discovery', 'executor', 'trash'],
  realtime: ['calls', 'captures', 'devices', 'discovery', 'executor', 'log', 'models', 'settings', 'trash'],
  servers: ['calls', 'captures', 'chat', 'discovery', 'executor', 'log', 'models', 'trash'],
  settings: ['calls', 'cluster', 'devices', 'discovery', 'models', 'realtime', 'trash'],
  trash: ['captures'],
  vision: ['calls', 'devices', 'discovery', 'trash'],
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
        pathNot: `${core}(contract/(contract|defaultSettings|stateWords|types)|rpc/client|features/chat/unusedArguments|features/devices/(health/healthWords|limits)|features/models/promptLimits|mcp/webLink|protocols/blockSpans|registry/(dangerReasons|isOfferedTo)|schema/showValue|base/(messages/(message|zh/\\w+)|alignTexts|diffLines|locateJson|isBrokerAddress|isOrigin|formatDuration|hiddenCharacters|json|jsonNode|nearestNames|unnamedId|variableName))\\.ts$`,
      },
    },
    {
      name: 'the-design-system-knows-no-feature',
      severity: 'error',
      from: { path: '^renderer/(ui|client|window|i18n)/' },
      to: { path: '^renderer/(features|app)/' },
    },
    ...Object.entries(windowFeaturesOf).map(([name, others]) => ({
      name: `the-window-feature-${name}-imports-listed-features`,
      severity: 'error',
      from: { path: `^renderer/features/${name}/` },
      to: { path: '^renderer/(features|app)/', pathNot: `^renderer/features/(${[name, ...others].join('|')})/` },
    })),
    {
      name: 'a-window-feature-has-listed-imports',
      severity: 'error',
      from: { path: `^renderer/features/(?!(${Object.keys(windowFeaturesOf).join('|')})/)` },
      to: { path: '^renderer/' },
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
      from: { path: '^renderer/', pathNot: '^renderer/ui/editor/' },
      to: { path: '^node_modules/monaco-editor/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'electron-not-renderer', severity: 'error', from: { path: '^electron/' }, to: { path: '^renderer/' } },
    {
      // A library of its own: the device's side must not come to know the server's.
      name: 'device-side-stands-alone',
      severity: 'error',
      from: { path: folder('deviceSide') },
      to: {
        path: core,
        pathNot: [folder('deviceSide'), folder('base')],
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
          folder('gatewayClient'),
          `${core}base/(json|oneAfterAnother)\\.ts$`,
          `${core}features/gateway/messages\\.ts$`,
        ],
      },
    },
    ...Object.entries(layers).map(([name, below]) => ({
      name: `${name}-imports-only-lower-layers`,
      severity: 'error',
      from: { path: folder(name) },
      to: {
        path: core,
        pathNot: [
          ...[name, ...below].map(folder),
          ...(name === 'engine' ? [`${core}protocols/(base|registry)\\.ts$`] : []),
        ],
      },
    })),
    ...Object.entries(featuresOf).map(([name, others]) => ({
      name: `the-feature-${name}-imports-only-lower-layers-and-listed-features`,
      severity: 'error',
      from: { path: folder(`features/${name}`) },
      to: {
        path: core,
        pathNot: [
          ...belowFeatures.map(folder),
          ...[name, ...others].map((other) => folder(`features/${other}`)),
          `${core}features/context.ts$`,
        ],
      },
    })),
    {
      name: 'a-feature-has-listed-imports',
      severity: 'error',
      from: { path: `${core}features/(?!context\\.ts$|(${Object.keys(featuresOf).join('|')})/)` },
      to: { path: core },
    },
    {
      name: 'a-protocol-knows-no-other',
      severity: 'error',
      from: { path: `${core}protocols/([^/]+)/` },
      to: { path: `${core}protocols/[^/]+/`, pathNot: `${core}protocols/$1/` },
    },
    {
      name: 'nothing-imports-the-top',
      severity: 'error',
      from: { path: core, pathNot: [folder('(rpc|cli)'), `${core}[^/]+\\.ts$`] },
      to: { path: [folder('(rpc|cli)'), `${core}[^/]+\\.ts$`] },
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
