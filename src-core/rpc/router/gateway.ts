import { implement } from '@orpc/server';

import type { GatewayTestTool } from '../../contract/types.ts';
import type { GatewayService } from '../../features/gateway/service.ts';
import { gateway as contract } from '../../contract/gateway.ts';

/** The LLM gateway. */
export function gatewayRouter(gateway: GatewayService) {
  const os = implement(contract);
  return os.router({
    state: os.state.handler(() => gateway.state()),
    setEnabled: os.setEnabled.handler(({ input }) => gateway.setEnabled(input.enabled)),
    configure: os.configure.handler(({ input }) => gateway.configure(input)),
    connections: os.connections.handler(() => gateway.connections()),
    turn: os.turn.handler(({ input }) => {
      const trace = gateway.turn(input.id);
      return trace === undefined ? {} : { trace };
    }),
    sessions: os.sessions.handler(() => gateway.sessions()),
    sessionMessages: os.sessionMessages.handler(({ input }) => gateway.sessionMessages(input.id)),
    endSession: os.endSession.handler(({ input }) => {
      gateway.endSession(input.id);
      return {};
    }),
    disconnect: os.disconnect.handler(({ input }) => {
      gateway.disconnect(input.id);
      return {};
    }),
    send: os.send.handler(({ input }) => gateway.send(input)),
    decide: os.decide.handler(({ input }) => {
      gateway.decide(input);
      return {};
    }),
    attend: os.attend.handler(({ input }) => {
      gateway.attend(input.callId);
      return {};
    }),
    log: os.log.handler(({ input }) => gateway.log(input)),
    frame: os.frame.handler(({ input }) => gateway.frame(input)),
    searchLog: os.searchLog.handler(({ input, signal }) => gateway.searchLog(input, signal)),
    clearLog: os.clearLog.handler(async () => {
      await gateway.clearLog();
      return {};
    }),
    openTestClient: os.openTestClient.handler(() => gateway.openTestClient()),
    closeTestClient: os.closeTestClient.handler(() => {
      gateway.closeTestClient();
      return {};
    }),
    sendAsClient: os.sendAsClient.handler(({ input }) => {
      gateway.sendAsClient(input.text);
      return {};
    }),
    // JSON as it came; what is none of a tool's own is checked at the registration.
    setTestTools: os.setTestTools.handler(({ input }) => gateway.setTestTools(input.tools as GatewayTestTool[])),
  });
}
