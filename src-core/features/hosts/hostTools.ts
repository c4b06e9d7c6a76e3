import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { countTokens } from '../../base/countTokens.ts';
import type { HostRow, hosts as hostsContract, HostScope } from '../../contract/hosts.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { resolveTimeout } from '../../engine/executor.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import { chooseTools, chosenOf, nothingChosen, renameChosen, sourceOf } from './chosenTools.ts';
import { createExportedNames } from './exportedNames.ts';
import { createExportedTools, type ExportedTool } from './exportedTools.ts';
import { findingsOf } from './hostLimits.ts';

/** The tools for hosts and for agents, and the procedures that list and rename them. */
export function createHostTools(options: FeatureContext & { calls: Pick<Calls, 'policy'>; onChange: () => void }) {
  const { toolRegistryManager, events, settings, clock, calls, onError, onChange } = options;
  const names = createExportedNames({ store: options.store.settings, onError });
  const policy = () => {
    const { toolCallConfig, dangerousTools } = settings();
    return { config: toolCallConfig, dangerousTools };
  };
  const common = { toolRegistryManager, names, policy, clock };
  const tools = createExportedTools({ ...common, consumer: 'host' });
  /** The tools for agents of devices, of which the user chooses single ones. */
  const everyTool = createExportedTools({ ...common, consumer: 'device' });
  const exported = [tools, everyTool];
  events.on('consumersChanged', (source, consumers) => {
    for (const each of exported) each.setConsumers(source, consumers);
  });
  events.on('settingsChanged', ({ isOf }) => {
    if (isOf('toolCallConfig', 'dangerousTools')) for (const each of exported) each.changed();
  });

  function toolsIn(scope: HostScope): ExportedTool[] {
    const chosen = chooseTools(tools, () => chosenOf(scope));
    return chosen.list(scope === 'all' || scope.kind === 'chosen' ? 'all' : { kind: scope.kind, id: scope.id });
  }

  function change(run: () => void): void {
    run();
    for (const each of exported) each.changed();
    onChange();
  }

  const service = {
    tools({ scope }) {
      const limits = calls.policy();
      return toolsIn(scope).map(({ tool, registryId, methodName, source, departed }, place) => ({
        name: tool.name,
        methodName,
        description: tool.description ?? '',
        qualifiedName: `${registryId}_${methodName}`,
        source: sourceOf({ source }),
        sourceLabel: source.label,
        alias: names.alias({ source, registryId }),
        tokens: countTokens(JSON.stringify(tool)),
        absent: departed !== undefined,
        asksFirst: tool.annotations?.destructiveHint === true,
        readOnly: tool.annotations?.readOnlyHint === true,
        findings: findingsOf(tool, { place, timeoutMs: resolveTimeout(`${registryId}_${methodName}`, limits) }),
      }));
    },
    rename({ name, to }) {
      const tool = tools.find('all', name);
      if (tool === undefined) throw new RequestError(localize('hosts.toolUnknown', { name }), { field: 'name' });
      change(() => names.rename(tool, to));
    },
    setAlias({ source, alias }) {
      const [tool] = toolsIn({ kind: 'chosen', chosen: { ...nothingChosen, sources: [source] } });
      if (tool === undefined) throw new RequestError(localize('hosts.sourceUnknown', { source }), { field: 'source' });
      change(() => names.setAlias(tool, alias));
    },
  } satisfies Partial<Implementation<typeof hostsContract>>;
  return {
    service,
    tools,
    everyTool,
    /** A host with the number of its tools; a selection has the names that its tools have now. */
    addTools(row: Omit<HostRow, 'tools'>): HostRow {
      const { scope } = row;
      const isSelection = scope !== 'all' && scope.kind === 'chosen';
      return {
        ...row,
        scope: isSelection ? { ...scope, chosen: renameChosen(scope.chosen, tools.list('all')) } : scope,
        tools: toolsIn(scope).length,
      };
    },
    close() {
      for (const each of exported) each.close();
    },
  };
}
