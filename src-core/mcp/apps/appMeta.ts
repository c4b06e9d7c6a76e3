/** The metadata of tools and resources about MCP Apps (the extension `io.modelcontextprotocol/ui`, revision 2026-01-26). All of it is untrusted. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { readAppCsp, type AppCsp } from './appCsp.ts';

const appMimeType = 'text/html;profile=mcp-app';

/** What a client declares that shows Apps. */
export const appExtensions: Record<string, JsonObject> = {
  'io.modelcontextprotocol/ui': { mimeTypes: [appMimeType] },
};

/** Permissions that an App may ask for: the members of `_meta.ui.permissions`, with the feature of Permissions Policy. */
const appPermissions = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
} as const;
export type AppPermission = (typeof appPermissions)[keyof typeof appPermissions];

const maxUriLength = 2_000;
/** UTF-16 units of an App's page. */
const maxHtmlLength = 16_000_000;

/** Who may use a tool, and the App that shows its results. */
export interface ToolUi {
  /** URI of the App. */
  resourceUri?: string;
  /** Models, and those that call for them, may use it. */
  forModels: boolean;
  /** Apps of its server may call it. */
  forApps: boolean;
}

/** Reads `_meta.ui` of a tool, or its older form `_meta["ui/resourceUri"]`. A tool without it is for models and Apps. */
export function readToolUi(definition: JsonObject): ToolUi {
  const meta = objectOf(definition['_meta']);
  const ui = objectOf(meta['ui']);
  const uri = ui['resourceUri'] ?? meta['ui/resourceUri'];
  const visibility: readonly JsonValue[] = Array.isArray(ui['visibility']) ? ui['visibility'] : ['model', 'app'];
  return {
    ...(isAppUri(uri) && { resourceUri: uri }),
    forModels: visibility.includes('model'),
    forApps: visibility.includes('app'),
  };
}

function isAppUri(uri: JsonValue | undefined): uri is string {
  return typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= maxUriLength;
}

/** Whether a resource of this type is an App. */
export function isAppType(mimeType: JsonValue | undefined): boolean {
  if (typeof mimeType !== 'string') return false;
  const [type, ...parameters] = mimeType.toLowerCase().replaceAll(/[\s"]/g, '').split(';');
  return type === 'text/html' && parameters.includes('profile=mcp-app');
}

/** The page of an App, with what it may reach. */
export interface AppResource {
  html: string;
  csp: AppCsp;
  /** Declared domains that no policy can contain. */
  refused: string[];
  permissions: AppPermission[];
  /** Whether it asks for a border; undefined if it does not say. */
  prefersBorder?: boolean;
}

/**
 * Reads the answer of `resources/read`. `listed` is the entry of the resource in the server's list, whose `_meta` counts if the answer
 * has none. Returns why it is no App otherwise.
 */
export function readAppResource(
  answer: JsonObject,
  uri: string,
  listed: JsonObject | undefined,
): AppResource | 'no-app' | 'too-large' {
  const contents = Array.isArray(answer['contents']) ? answer['contents'].filter((each) => isJsonObject(each)) : [];
  const content = contents.find((each) => each['uri'] === uri) ?? contents[0];
  if (content === undefined || !isAppType(content['mimeType'])) return 'no-app';
  const { text, blob } = content;
  if (typeof text !== 'string' && typeof blob !== 'string') return 'no-app';
  if (String(text ?? blob).length > maxHtmlLength) return 'too-large';
  const html = typeof text === 'string' ? text : Buffer.from(String(blob), 'base64').toString('utf8');
  const ui = objectOf(objectOf(content['_meta'])['ui'] ?? objectOf(listed?.['_meta'])['ui']);
  const asked = objectOf(ui['permissions']);
  const { prefersBorder } = ui;
  return {
    html,
    ...readAppCsp(ui['csp']),
    permissions: Object.entries(appPermissions).flatMap(([name, feature]) =>
      isJsonObject(asked[name]) ? [feature] : [],
    ),
    ...(typeof prefersBorder === 'boolean' && { prefersBorder }),
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}
