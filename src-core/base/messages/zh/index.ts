import { zhCalls } from './calls.ts';
import { zhChat } from './chat.ts';
import { zhConfigFiles } from './configFiles.ts';
import { zhEndpoint } from './endpoint.ts';
import { zhHosts } from './hosts.ts';
import { zhServers } from './servers.ts';
import { zhSignIn } from './signIn.ts';
import { zhWorkbench } from './workbench.ts';

/** The Chinese catalogue. */
export const zh = {
  ...zhCalls,
  ...zhChat,
  ...zhConfigFiles,
  ...zhEndpoint,
  ...zhHosts,
  ...zhServers,
  ...zhSignIn,
  ...zhWorkbench,
};
