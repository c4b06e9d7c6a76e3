/**
 * What a device shows on its own screen while its hello is held. The firmware shows alerts also before its hello is answered;
 * without one it shows nothing for ten seconds, then a time-out.
 */
export function approvalAlert(language: string | undefined): string {
  const message = language?.toLowerCase().startsWith('zh')
    ? '请在 Toolwire 的“设备”面板中批准此设备'
    : 'Approve this device in Toolwire, Devices';
  return JSON.stringify({ type: 'alert', status: 'Toolwire', message, emotion: 'link' });
}
