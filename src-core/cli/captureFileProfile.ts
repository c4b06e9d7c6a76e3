import { readCaptureFrame, type CaptureFrame } from '../features/captures/captureFrame.ts';
import { readCaptureHeader, type CaptureHeader } from '../features/captures/captureHeader.ts';
import { captureProfile } from '../features/captures/captureProfile.ts';
import type { VirtualProfile } from '../features/devices/virtual/profile.ts';
import { filePieces } from './filePieces.ts';

/**
 * A recorded device as a kind of virtual one, out of its file.
 * @throws Error naming the file, or the line and what is wrong with it.
 */
export async function captureFileProfile(
  file: string,
  options: { timing: boolean },
): Promise<{ name: string; profile: VirtualProfile }> {
  let header: CaptureHeader | undefined;
  const frames: CaptureFrame[] = [];
  let number = 0;
  for await (const piece of filePieces(file)) {
    for (const line of piece.replace(/\n$/, '').split('\n')) {
      number += 1;
      if (header === undefined) header = readCaptureHeader(line.replace(/^\ufeff/, ''));
      else if (line.trim() !== '') frames.push(readCaptureFrame(line, number));
    }
  }
  if (header === undefined) throw new Error(`${file} is empty: a capture has a header at least.`);
  const { device } = header;
  return { name: device.name, profile: captureProfile({ device, frames }, options) };
}
