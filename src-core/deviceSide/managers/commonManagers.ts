import type { JsonObject } from '../../base/json.ts';
import { checkOptions } from '../../base/checkOptions.ts';
import type { ToolManager } from '../mcp/toolManager.ts';
import { createAudioManager, createSimulatedSpeaker, type Speaker } from './audio.ts';
import { createCalendarManager } from './calendar.ts';
import { createCameraManager, type Camera } from './camera.ts';
import { createIrManager, type IrManagerOptions } from './ir.ts';
import { createMusicManager, createSimulatedPlayer, type MusicPlayer } from './music.ts';
import { createScreenManager, createSimulatedScreen, type Screen } from './screen.ts';
import { createScreenshotManager, type ScreenCapture } from './screenshot.ts';
import { createSystemManager } from './system.ts';
import {
  createSimulatedSensor,
  createTemperatureHumidityManager,
  type TemperatureHumiditySensor,
} from './temperatureHumidity.ts';

/**
 * The hardware behind the common tools. Omitted hardware is simulated, and its status says so; only infrared needs a
 * port, or `ir: { simulated: true }`.
 */
export interface CommonToolsOptions {
  speaker?: Speaker;
  screen?: Screen;
  camera?: Camera;
  screenCapture?: ScreenCapture;
  player?: MusicPlayer;
  sensor?: TemperatureHumiditySensor;
  ir?: IrManagerOptions;
  /** JSON file that keeps the calendar; without it, the calendar is lost when the program ends. */
  calendarFile?: string;
}

/**
 * The common managers: system, audio, screen, camera, screenshots, music, calendar, temperature and humidity, infrared.
 * @throws TypeError for an option that does not exist
 */
export function commonManagers(options: CommonToolsOptions): ToolManager[] {
  checkOptions('addCommonTools', options, {
    speaker: true,
    screen: true,
    camera: true,
    screenCapture: true,
    player: true,
    sensor: true,
    ir: true,
    calendarFile: true,
  });
  const { camera, screenCapture, ir, calendarFile } = options;
  const { speaker = createSimulatedSpeaker(), screen = createSimulatedScreen() } = options;
  const player = options.player ?? createSimulatedPlayer();
  const sensor = options.sensor ?? createSimulatedSensor();
  const status = async (): Promise<JsonObject> => ({
    audio_speaker: await speaker.status(),
    screen: await screen.status(),
    music_player: await player.status(),
  });
  return [
    createSystemManager({ status }),
    createAudioManager(speaker),
    createScreenManager(screen),
    createCameraManager(camera),
    createScreenshotManager(screenCapture),
    createMusicManager(player),
    createCalendarManager(calendarFile === undefined ? {} : { file: calendarFile }),
    createTemperatureHumidityManager(sensor),
    createIrManager(ir),
  ];
}
