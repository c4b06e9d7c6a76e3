/** A picture that a device sent: with a question of its camera, or of its screen. */
export interface VisionRequest {
  id: string;
  /** The hub's id; absent where no device could be told from the request. */
  deviceId?: string;
  deviceName?: string;
  kind: 'explain' | 'snapshot';
  /** Epoch ms. */
  at: number;
  question?: string;
  mediaType: string;
  bytes: number;
  /** `waiting`: a person is asked; `expired`: nobody answered in time. */
  state: 'waiting' | 'answered' | 'expired' | 'failed';
  /** While it waits for a person: until when, epoch ms; the device gives up soon after. */
  waitsUntil?: number;
  answer?: string;
  answeredBy?: 'model' | 'hand' | 'canned';
  /** Why no answer came, where one failed. */
  error?: string;
}
