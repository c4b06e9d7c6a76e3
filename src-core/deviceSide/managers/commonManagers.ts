import type { JsonObject } from '../../tools/json.ts';
import type { ToolManager } from '../mcp/toolManager.ts';
import { createAudioManager, createSimulatedSpeaker, type Speaker } from './audio.ts';
import { createCalendarManager } from './calendar.ts';
import { createCameraManager, type Camera } from './camera.ts';
import { createIrManager, type IrManagerOptions } from './ir.ts';
import { createScreenManager, createSimulatedScreen, type Screen } from './screen.ts';
import { createSystemManager } from './system.ts';
import {
  createSimulatedSensor,
  createTemperatureHumidityManager,
  type TemperatureHumiditySensor,
} from './temperatureHumidity.ts';

/** The hardware behind the common tools. What is not given is simulated, and its status says so. */
export interface CommonToolsOptions {
  speaker?: Speaker;
  screen?: Screen;
  camera?: Camera;
  sensor?: TemperatureHumiditySensor;
  ir?: IrManagerOptions;
  /** JSON file that keeps the calendar; it ends with the program where there is none. */
  calendarFile?: string;
}

/** The managers of seed 002: system, audio, screen, camera, calendar, temperature and humidity, infrared. */
export function commonManagers(options: CommonToolsOptions): ToolManager[] {
  const { camera, ir, calendarFile } = options;
  const { speaker = createSimulatedSpeaker(), screen = createSimulatedScreen() } = options;
  const sensor = options.sensor ?? createSimulatedSensor();
  const status = async (): Promise<JsonObject> => ({
    audio_speaker: await speaker.status(),
    screen: await screen.status(),
  });
  return [
    createSystemManager({ status }),
    createAudioManager(speaker),
    createScreenManager(screen),
    createCameraManager(camera),
    createCalendarManager(calendarFile === undefined ? {} : { file: calendarFile }),
    createTemperatureHumidityManager(sensor),
    createIrManager(ir),
  ];
}
