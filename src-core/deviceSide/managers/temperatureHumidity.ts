import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { McpTool } from '../mcp/mcpTool.ts';
import type { ToolManager } from '../mcp/toolManager.ts';

export interface Climate {
  /** °C */
  temperature: number;
  /** Per cent, relative. */
  humidity: number;
}

export interface TemperatureHumiditySensor {
  /** Rejects if it cannot; the reason becomes the answer. */
  read: () => Climate | Promise<Climate>;
  simulated?: boolean;
}

/** Always the same pleasant room. */
export function createSimulatedSensor(): TemperatureHumiditySensor {
  return { read: () => ({ temperature: 22.5, humidity: 45 }), simulated: true };
}

/**
 * A sensor that Linux drives (DHT11, DHT22, SHT3x, BME280 …): `/sys/bus/iio/devices/iio:device0`. Its files hold
 * thousandths of a degree and of a per cent.
 */
export function createIioSensor(folder: string): TemperatureHumiditySensor {
  const read = async (name: string): Promise<number> => {
    const value = Number(await readFile(join(folder, name), 'utf8'));
    if (!Number.isFinite(value)) throw new Error(`${join(folder, name)} holds no number.`);
    return value / 1_000;
  };
  return {
    read: async () => ({
      temperature: await read('in_temp_input'),
      humidity: await read('in_humidityrelative_input'),
    }),
  };
}

/** `self.temperature_humidity.get`: what the sensor reads, as JSON. */
export function createTemperatureHumidityManager(
  sensor: TemperatureHumiditySensor = createSimulatedSensor(),
): ToolManager {
  return {
    initTools(addTool) {
      addTool(
        new McpTool({
          name: 'self.temperature_humidity.get',
          description: 'Reads the room: temperature in °C and relative humidity in per cent, as JSON.',
          callback: async () => {
            const { temperature, humidity } = await sensor.read();
            return JSON.stringify({ temperature, humidity, ...(sensor.simulated === true ? { simulated: true } : {}) });
          },
        }),
      );
    },
  };
}
