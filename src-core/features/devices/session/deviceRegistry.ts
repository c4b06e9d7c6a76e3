import type { ToolMetadata, ToolRegistry } from '../../../registry/types.ts';
import { int32Remark, programNames, silenceHint } from './boardRemarks.ts';
import type { DeviceSession } from './deviceSession.ts';
import { listProblem } from './listProblem.ts';
import { toolDanger } from './readTool.ts';

/** A ready device as a source of methods. Calls queue in it; `onStart` tells when one really goes out. */
export function createDeviceRegistry(options: {
  id: string;
  name: string;
  hubId: string;
  session: DeviceSession;
}): ToolRegistry {
  const { id, name, hubId, session } = options;
  const isBoard = !programNames.has(session.client.serverInfo.name ?? '');
  return {
    id,
    name,
    source: { kind: 'device', id: hubId, label: name },
    queued: true,
    ...(isBoard && { silenceHint }),
    getMetadata: () => metadataOf(session),
    // Without a limit: whoever calls keeps the time.
    invoke: (methodName, args, options) => {
      const output = session.client.sendCall(methodName, args, { ...options, timeoutMs: undefined });
      const remark = isBoard ? int32Remark(args) : undefined;
      return remark === undefined ? output : output.then((answer) => ({ ...answer, remark }));
    },
  };
}

function metadataOf(session: DeviceSession): ToolMetadata {
  const problem = listProblem(session.client.problems);
  const methods = session.client.tools.map((tool) => {
    const danger = toolDanger(tool);
    return {
      name: tool.name,
      description: tool.description,
      agentCallable: !tool.userOnly,
      inputSchema: tool.inputSchema,
      ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
      ...(danger === undefined ? {} : { danger }),
    };
  });
  return { methods, ...(problem === undefined ? {} : { error: problem }) };
}
