/** A picture that a device sent: with a question of its camera, or of its screen. */
export interface VisionRequest {
  id: string;
  /** The hub's id; absent if the request does not identify a device. */
  deviceId?: string;
  deviceName?: string;
  kind: 'explain' | 'snapshot';
  /** Epoch ms. */
  at: number;
  question?: string;
  mediaType: string;
  bytes: number;
  /** `waiting`: the user is asked; `expired`: there was no answer in time. */
  state: 'waiting' | 'answered' | 'expired' | 'failed';
  /** While it waits for the user: its deadline, epoch ms; the device gives up soon after. */
  waitsUntil?: number;
  answer?: string;
  answeredBy?: 'model' | 'hand' | 'canned';
  /** Why there is no answer, if answering failed. */
  error?: string;
}
