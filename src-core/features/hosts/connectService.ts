import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { hosts as hostsContract, HostScope } from '../../contract/hosts.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { Devices } from '../devices/open.ts';
import { connectTexts, type ConnectFacts, type ToolwireCommand } from './connectTexts.ts';
import { curlCall } from './curlCall.ts';
import type { ExportedTools } from './exportedTools.ts';
import type { HostTokens } from './hostTokens.ts';
import { writeConfig } from './writeConfig.ts';

/** What a host needs to connect: the address of `/mcp`, and the procedures that write it into texts and files. */
export function createConnectService(options: {
  tokens: Pick<HostTokens, 'openToNetwork'>;
  tools: Pick<ExportedTools, 'list'>;
  devices: Pick<Devices, 'listenerFacts'>;
  command?: ToolwireCommand | undefined;
  dataDir?: string | undefined;
}) {
  const { tokens, tools, devices, command = { text: 'toolwire', words: ['toolwire'] }, dataDir } = options;

  function facts(scope: HostScope, finds = false): ConnectFacts {
    const { port, otaUrls, otaUrl } = devices.listenerFacts();
    // The address of this node for other machines, if they can use it: its tokens are its own.
    const origin = tokens.openToNetwork() ? new URL(otaUrls[0] ?? otaUrl).origin : `http://127.0.0.1:${port}`;
    const path =
      scope === 'all' || scope.kind === 'chosen'
        ? ''
        : `/${scope.kind === 'mcp' ? 'server' : 'device'}/${encodeURIComponent(scope.id)}`;
    return { url: `${origin}/mcp${path}`, command, dataDir, scope, finds };
  }

  return {
    url: () => facts('all').url,
    service: {
      curl({ toolName, argsJson }) {
        const found = tools.list('all').find((one) => `${one.registryId}_${one.methodName}` === toolName);
        if (found === undefined)
          throw new RequestError(localize('hosts.toolUnknown', { name: toolName }), { field: 'toolName' });
        return { text: curlCall({ url: facts('all').url, tool: found.tool, argsJson }) };
      },
      connectTexts: ({ scope, finds }) => connectTexts(facts(scope, finds)),
      writeConfig: ({ program, scope = 'all', finds }) => ({ file: writeConfig(program, facts(scope, finds)) }),
    } satisfies Partial<Implementation<typeof hostsContract>>,
  };
}
