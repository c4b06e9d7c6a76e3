import type { JsonObject } from '../../base/json.ts';
import { McpTool } from '../mcp/mcpTool.ts';
import { Property, PropertyType } from '../mcp/property.ts';
import { PropertyList } from '../mcp/propertyList.ts';
import type { ToolManager } from '../mcp/toolManager.ts';

/** What plays sound. Volumes are 0 to 100. */
export interface Speaker {
  getVolume: () => number | Promise<number>;
  /** Rejects if it cannot; the reason becomes the answer. */
  setVolume: (volume: number) => void | Promise<void>;
  status: () => JsonObject | Promise<JsonObject>;
}

/** A volume that nothing plays. */
export function createSimulatedSpeaker(volume = 70): Speaker {
  return {
    getVolume: () => volume,
    setVolume: (next) => void (volume = next),
    status: () => ({ volume, simulated: true }),
  };
}

/** `self.audio_speaker.set_volume` and `get_volume`. */
export function createAudioManager(speaker: Speaker = createSimulatedSpeaker()): ToolManager {
  return {
    initTools(addTool) {
      addTool(
        new McpTool({
          name: 'self.audio_speaker.set_volume',
          description: 'Sets how loud the speaker is, from 0 (silent) to 100.',
          properties: new PropertyList([new Property('volume', PropertyType.INTEGER, { minimum: 0, maximum: 100 })]),
          callback: async ({ volume }) => {
            await speaker.setVolume(Number(volume));
            return true;
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.audio_speaker.get_volume',
          description: 'Tells how loud the speaker is, from 0 to 100.',
          callback: () => speaker.getVolume(),
        }),
      );
    },
  };
}
