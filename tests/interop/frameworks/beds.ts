import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as messages from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import * as agents from '@openai/agents';
import * as ai from 'ai';
import { OpenAI } from 'openai';

import {
  AiSdkAgentProvider,
  AiSdkToolConverter,
  LangChainAgentProvider,
  LangChainToolConverter,
  OpenAIAgentProvider,
  OpenAIAgentToolConverter,
} from '../../../src-core/converters.ts';
import type {
  AgentProvider,
  ConverterExecution,
  ToolConverterBase,
  ToolDefinition,
} from '../../../src-core/converters.ts';

/** An agent of one framework with its converter; what its tools are is the framework's business. */
export interface FrameworkAgent {
  converter: ToolConverterBase<unknown, unknown>;
  provider: AgentProvider<unknown, unknown>;
}

export interface FrameworkBed {
  name: string;
  open: (options: { baseUrl: string; execution?: ConverterExecution; maxTurns?: number }) => FrameworkAgent;
}

const key = { apiKey: 'none' };

/** Each framework on an OpenAI-compatible server, as its own documentation connects it to one. */
export const beds: FrameworkBed[] = [
  {
    name: '@openai/agents',
    open: ({ baseUrl, execution, maxTurns = 10 }) => {
      const openAIClient = new OpenAI({ baseURL: baseUrl, ...key, maxRetries: 0 });
      return {
        converter: new OpenAIAgentToolConverter({ agents, ...execution }),
        provider: new OpenAIAgentProvider({
          agents,
          model: 'stand-in',
          modelProvider: new agents.OpenAIProvider({ openAIClient, useResponses: false }),
          maxTurns,
        }),
      };
    },
  },
  {
    name: 'Vercel AI SDK',
    open: ({ baseUrl, execution, maxTurns = 10 }) => {
      const server = createOpenAICompatible({
        name: 'stand-in',
        baseURL: baseUrl,
        ...key,
        supportsMultiPartToolContent: true,
      });
      return {
        converter: new AiSdkToolConverter({ ai, ...execution }),
        provider: new AiSdkAgentProvider({ ai, model: server('stand-in'), maxTurns }),
      };
    },
  },
  {
    name: 'LangChain.js',
    open: ({ baseUrl, execution, maxTurns = 10 }) => ({
      converter: new LangChainToolConverter({
        langchain: { DynamicStructuredTool, ToolMessage: messages.ToolMessage },
        ...execution,
      }),
      provider: new LangChainAgentProvider({
        langchain: messages,
        model: new ChatOpenAI({ model: 'stand-in', ...key, maxRetries: 0, configuration: { baseURL: baseUrl } }),
        maxTurns,
      }),
    }),
  },
];

/** A local tool that answers with a text. */
export function localTool(name: string, answer: string): ToolDefinition {
  return {
    name,
    description: `Says ${answer}.`,
    parameters: { type: 'object', properties: {} },
    executor: () => answer,
  };
}
