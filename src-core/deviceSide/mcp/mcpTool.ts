import type { JsonObject } from '../../base/json.ts';
import { checkOptions } from '../../base/checkOptions.ts';
import type { PropertyValue } from './property.ts';
import { PropertyList } from './propertyList.ts';
import type { ToolReturn } from './toolContent.ts';

/** Arguments as a callback gets them: complete, of the right types, without a prototype. */
export type ToolArguments = Readonly<Record<string, PropertyValue>>;

/** The server's address for explaining pictures, from its initialize (docs/protocols/xiaozhi.md#vision). */
export interface VisionTarget {
  url: string;
  token?: string;
}

/** What a running tool knows besides its arguments. */
export interface ToolContext {
  /** Aborts when the connection that asked is gone. */
  signal: AbortSignal;
  vision: VisionTarget | undefined;
  /** Who the device is, for requests that it makes itself; absent if the call did not come over a device's connection. */
  identity?: { deviceId: string; clientId: string };
}

/** Does the work. What it throws becomes the answer's text, with `isError`. */
export type ToolCallback = (args: ToolArguments, context: ToolContext) => ToolReturn | Promise<ToolReturn>;

export interface McpToolOptions {
  /** As on the wire, including dots. */
  name: string;
  description: string;
  properties?: PropertyList;
  callback: ToolCallback;
  /** For the user alone: listed only with `withUserTools`, and marked so (docs/protocols/device-mcp.md). */
  userOnly?: boolean;
}

/** One tool of a device. */
export class McpTool {
  readonly name: string;
  readonly description: string;
  readonly properties: PropertyList;
  readonly callback: ToolCallback;
  readonly userOnly: boolean;

  /** @throws TypeError without a name, or for an option that does not exist. */
  constructor(options: McpToolOptions) {
    const { name, description, properties = new PropertyList(), callback, userOnly = false } = options;
    checkOptions(`The tool "${name}"`, options, {
      name: true,
      description: true,
      properties: true,
      callback: true,
      userOnly: true,
    });
    if (name === '') throw new TypeError('A tool needs a name.');
    this.name = name;
    this.description = description;
    this.properties = properties;
    this.callback = callback;
    this.userOnly = userOnly;
  }

  /** Its entry in tools/list. `required` may be omitted if it would be empty, as the firmware does. */
  toJson({ emptyRequired = true }: { emptyRequired?: boolean } = {}): JsonObject {
    const required = this.properties.getRequired();
    return {
      name: this.name,
      description: this.description,
      inputSchema: {
        type: 'object',
        properties: this.properties.toJson(),
        ...(emptyRequired || required.length > 0 ? { required } : {}),
      },
      ...(this.userOnly ? { annotations: { audience: ['user'] } } : {}),
    };
  }
}
