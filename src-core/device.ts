/**
 * `toolwire/device`: the device's side as a library (docs/device.md). It turns a Node program into a xiaozhi
 * device: tools, the MCP server over them, and the WebSocket client that connects it.
 */
export { McpServer } from './deviceSide/mcp/mcpServer.ts';
export { McpTool } from './deviceSide/mcp/mcpTool.ts';
export { PropertyList } from './deviceSide/mcp/propertyList.ts';
export { Property, PropertyType } from './deviceSide/mcp/property.ts';
export { RpcError, rpcCodes } from './deviceSide/mcp/rpcError.ts';
export { standardDialect } from './deviceSide/mcp/standardDialect.ts';

export { createSystemManager } from './deviceSide/managers/system.ts';
export { createAudioManager, createSimulatedSpeaker } from './deviceSide/managers/audio.ts';
export { createScreenManager, createSimulatedScreen } from './deviceSide/managers/screen.ts';
export { createCameraManager, createSimulatedCamera } from './deviceSide/managers/camera.ts';
export { createScreenshotManager, createSimulatedScreenCapture } from './deviceSide/managers/screenshot.ts';
export { createMusicManager, createSimulatedPlayer } from './deviceSide/managers/music.ts';
export { createCalendarManager } from './deviceSide/managers/calendar.ts';
export {
  createIioSensor,
  createSimulatedSensor,
  createTemperatureHumidityManager,
} from './deviceSide/managers/temperatureHumidity.ts';
export { createIrManager } from './deviceSide/managers/ir.ts';
export { createSerialPort } from './deviceSide/managers/serialPort.ts';

export { DeviceClient } from './deviceSide/client/deviceClient.ts';
export { standardWire } from './deviceSide/client/standardWire.ts';
export { askOta } from './deviceSide/client/askOta.ts';

export type { HandleOptions, McpServerOptions } from './deviceSide/mcp/mcpServer.ts';
export type {
  McpToolOptions,
  ToolArguments,
  ToolCallback,
  ToolContext,
  VisionTarget,
} from './deviceSide/mcp/mcpTool.ts';
export type { PropertyOptions, PropertyValue } from './deviceSide/mcp/property.ts';
export type { CallResult, ToolContent, ToolReturn } from './deviceSide/mcp/toolContent.ts';
export type { McpDialect, McpRequest } from './deviceSide/mcp/dialect.ts';
export type { ToolManager } from './deviceSide/mcp/toolManager.ts';
export type { CommonToolsOptions } from './deviceSide/managers/commonManagers.ts';
export type { Speaker } from './deviceSide/managers/audio.ts';
export type { Screen } from './deviceSide/managers/screen.ts';
export type { ScreenCapture } from './deviceSide/managers/screenshot.ts';
export type { MusicPlayer } from './deviceSide/managers/music.ts';
export type { Camera } from './deviceSide/managers/camera.ts';
export type { Picture } from './deviceSide/managers/picture.ts';
export type { Climate, TemperatureHumiditySensor } from './deviceSide/managers/temperatureHumidity.ts';
export type { IrManagerOptions } from './deviceSide/managers/ir.ts';
export type { SerialPort, SerialPortOptions } from './deviceSide/managers/serialPort.ts';
export type { DeviceClientOptions, DeviceClientState } from './deviceSide/client/deviceClient.ts';
export type { ReconnectOptions } from './deviceSide/client/backoff.ts';
export type { CallScheduler } from './deviceSide/client/callScheduler.ts';
export type { DeviceLimits } from './deviceSide/client/clientLimits.ts';
export type { After } from './deviceSide/client/connection.ts';
export type { DeviceIdentity } from './deviceSide/client/identity.ts';
export type { DeviceWire, OutgoingAnswer } from './deviceSide/client/deviceWire.ts';
export type { OtaTarget } from './deviceSide/client/askOta.ts';
export type * from './base/json.ts';
