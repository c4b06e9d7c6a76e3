import type { JsonObject } from '../../../base/json.ts';
import type { ConformanceRevision } from '../../../contract/conformance.ts';
import type { ListedTool, ServerEndpoint } from '../../../mcp/types.ts';
import { isLoopback } from '../../../server/address.ts';
import type { ServerLists } from '../readLists.ts';

/** What a server must offer so that a scenario applies to it. */
interface Needs {
  /** Names that the suite expects. A server that was not written for the suite does not have them. */
  tools?: readonly string[];
  resources?: readonly string[];
  templates?: readonly string[];
  prompts?: readonly string[];
  /** A capability that the protocol makes optional. */
  capability?: string;
  /** It is about HTTP, which a server over another transport does not speak. */
  http?: true;
  /** It is about servers on this computer. */
  loopback?: true;
}

const tool = (...tools: string[]): Needs => ({ tools });
const mrtr = (name: string): Needs => tool(`test_input_required_result_${name}`);
const http: Needs = { http: true };

/** What each scenario of @modelcontextprotocol/conformance 0.2.0-alpha.12 needs. One that is not here needs nothing. */
const needs: Readonly<Record<string, Needs>> = {
  'logging-set-level': { capability: 'logging' },
  'completion-complete': { capability: 'completions', prompts: ['test_prompt_with_arguments'] },
  'tools-list': { capability: 'tools' },
  'tools-call-simple-text': tool('test_simple_text'),
  'tools-call-image': tool('test_image_content'),
  'tools-call-audio': tool('test_audio_content'),
  'tools-call-embedded-resource': tool('test_embedded_resource'),
  'tools-call-mixed-content': tool('test_multiple_content_types'),
  'tools-call-with-logging': tool('test_tool_with_logging'),
  'tools-call-error': tool('test_error_handling'),
  'tools-call-with-progress': tool('test_tool_with_progress'),
  'tools-call-sampling': tool('test_sampling'),
  'tools-call-elicitation': tool('test_elicitation'),
  'elicitation-sep1034-defaults': tool('test_elicitation_sep1034_defaults'),
  'elicitation-sep1330-enums': tool('test_elicitation_sep1330_enums'),
  'json-schema-2020-12': tool('json_schema_2020_12_tool'),
  'resources-list': { capability: 'resources' },
  'resources-read-text': { capability: 'resources', resources: ['test://static-text'] },
  'resources-read-binary': { capability: 'resources', resources: ['test://static-binary'] },
  'resources-templates-read': { capability: 'resources', templates: ['test://template/{id}/data'] },
  'resources-subscribe': { capability: 'resources', resources: ['test://watched-resource'] },
  'resources-unsubscribe': { capability: 'resources', resources: ['test://watched-resource'] },
  'sep-2164-resource-not-found': { capability: 'resources' },
  'prompts-list': { capability: 'prompts' },
  'prompts-get-simple': { capability: 'prompts', prompts: ['test_simple_prompt'] },
  'prompts-get-with-args': { capability: 'prompts', prompts: ['test_prompt_with_arguments'] },
  'prompts-get-embedded-resource': { capability: 'prompts', prompts: ['test_prompt_with_embedded_resource'] },
  'prompts-get-with-image': { capability: 'prompts', prompts: ['test_prompt_with_image'] },
  'dns-rebinding-protection': { http: true, loopback: true },
  'server-session-lifecycle': http,
  'server-sse-multiple-streams': http,
  'server-sse-polling': { http: true, tools: ['test_reconnection'] },
  'http-header-validation': http,
  'http-custom-header-server-validation': { http: true, tools: ['test_x_mcp_header'] },
  'server-stateless': tool(
    'test_logging_tool',
    'test_missing_capability',
    'test_streaming_elicitation',
    'test_trigger_prompt_change',
    'test_trigger_tool_change',
  ),
  'tasks-lifecycle': tool('failing_job', 'greet', 'protocol_error_job', 'slow_compute'),
  'tasks-capability-negotiation': tool('slow_compute'),
  'tasks-wire-fields': tool('slow_compute'),
  'tasks-request-state-removal': tool('slow_compute'),
  'tasks-mrtr-input': tool('confirm_delete', 'multi_input'),
  'tasks-request-headers': { http: true, tools: ['greet', 'slow_compute'] },
  'tasks-dispatch-and-envelope': tool('confirm_delete', 'failing_job', 'greet', 'slow_compute'),
  'tasks-status-notifications': tool('slow_compute'),
  'tasks-required-task-error': tool('slow_compute'),
  'tasks-mrtr-composition': tool('test_tool_with_task'),
  'input-required-result-basic-elicitation': mrtr('elicitation'),
  'input-required-result-basic-sampling': mrtr('sampling'),
  'input-required-result-basic-list-roots': mrtr('list_roots'),
  'input-required-result-request-state': mrtr('request_state'),
  'input-required-result-multiple-input-requests': mrtr('multiple_inputs'),
  'input-required-result-multi-round': mrtr('multi_round'),
  'input-required-result-missing-input-response': mrtr('elicitation'),
  'input-required-result-non-tool-request': { prompts: ['test_input_required_result_prompt'] },
  'input-required-result-result-type': mrtr('elicitation'),
  'input-required-result-tampered-state': mrtr('tampered_state'),
  'input-required-result-capability-check': mrtr('capabilities'),
  'input-required-result-ignore-extra-params': mrtr('elicitation'),
  'input-required-result-validate-input': mrtr('elicitation'),
};

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The scenarios that a revision requires of a server, and the others that the suite runs, in the suite's order. */
export const suiteScenarios: Readonly<Record<ConformanceRevision, { required: string[]; more: string[] }>> = {
  '2025-11-25': {
    required: words(`
      server-initialize logging-set-level ping completion-complete tools-list tools-call-simple-text tools-call-image
      tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-with-logging tools-call-error
      tools-call-with-progress tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults
      server-sse-multiple-streams elicitation-sep1330-enums resources-list resources-read-text resources-read-binary
      resources-templates-read resources-subscribe resources-unsubscribe prompts-list prompts-get-simple
      prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image dns-rebinding-protection`),
    more: words('server-session-lifecycle json-schema-2020-12 server-sse-polling'),
  },
  '2026-07-28': {
    required: words(`
      server-stateless completion-complete tools-list tools-call-simple-text tools-call-image tools-call-audio
      tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress
      server-sse-multiple-streams resources-list resources-read-text resources-read-binary resources-templates-read
      sep-2164-resource-not-found prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource
      prompts-get-with-image dns-rebinding-protection caching input-required-result-basic-elicitation
      input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state
      input-required-result-multiple-input-requests input-required-result-multi-round
      input-required-result-missing-input-response input-required-result-non-tool-request
      input-required-result-result-type input-required-result-unsupported-methods input-required-result-tampered-state
      input-required-result-capability-check input-required-result-ignore-extra-params
      input-required-result-validate-input`),
    more: words(`
      tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal tasks-mrtr-input
      tasks-request-headers tasks-dispatch-and-envelope tasks-status-notifications tasks-required-task-error
      tasks-mrtr-composition json-schema-2020-12 http-header-validation http-custom-header-server-validation`),
  },
};

/** The facts about a server that are known before the suite runs. */
export interface ServerOffer {
  type: 'stdio' | 'http' | 'sse' | 'websocket';
  isLoopback: boolean;
  capabilities: ReadonlySet<string>;
  tools: ReadonlySet<string>;
  resources: ReadonlySet<string>;
  templates: ReadonlySet<string>;
  prompts: ReadonlySet<string>;
}

/** What a server offers by its last lists. */
export function offerOf(
  endpoint: ServerEndpoint,
  capabilities: JsonObject,
  { tools, lists }: { tools: readonly ListedTool[]; lists: ServerLists },
): ServerOffer {
  const host = endpoint.type === 'stdio' ? '' : new URL(endpoint.url).hostname;
  const named = (items: readonly JsonObject[], key: string): Set<string> =>
    new Set(items.map((item) => item[key]).filter((value) => typeof value === 'string'));
  return {
    type: endpoint.type,
    isLoopback: host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, '')),
    capabilities: new Set(Object.keys(capabilities)),
    tools: new Set(tools.map(({ name }) => name)),
    resources: named(lists.resources, 'uri'),
    templates: named(lists.templates, 'uriTemplate'),
    prompts: named(lists.prompts, 'name'),
  };
}

/** Why a scenario does not apply to a server. */
type Inapplicable =
  | { because: 'http' | 'loopback' }
  | { because: 'capability'; missing: string[] }
  | { because: 'fixtures'; missing: string[] };

/** Returns why a scenario does not apply to a server; undefined if its verdict counts. */
export function inapplicable(scenario: string, offer: ServerOffer): Inapplicable | undefined {
  const { tools = [], resources = [], templates = [], prompts = [], capability, ...of } = needs[scenario] ?? {};
  if (of.http && offer.type !== 'http') return { because: 'http' };
  if (of.loopback && !offer.isLoopback) return { because: 'loopback' };
  if (capability !== undefined && !offer.capabilities.has(capability))
    return { because: 'capability', missing: [capability] };
  const missing = [
    ...tools.filter((name) => !offer.tools.has(name)),
    ...resources.filter((name) => !offer.resources.has(name)),
    ...templates.filter((name) => !offer.templates.has(name)),
    ...prompts.filter((name) => !offer.prompts.has(name)),
  ];
  return missing.length > 0 ? { because: 'fixtures', missing } : undefined;
}
