import { RequestError } from '../../../base/requestError.ts';
import type { DevicePeer } from '../wire/devicePeer.ts';
import { heldSession, nameOf, peerOf, type DeviceRecord } from './deviceRecord.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import type { DeviceApprovals } from './deviceApprovals.ts';

/** Which devices of the network are admitted, by the user's decision. Devices of this machine always are. */
export interface Gatekeeper {
  /** Whether the user has approved it, before or in advance. */
  isApproved: (record: DeviceRecord) => boolean;
  /** Whether the connection's hello may be answered. If not, the device is marked as waiting for approval. */
  mayEnter: (record: DeviceRecord, session: DeviceSession) => boolean;
  /**
   * Approves it, also for later connections. `seen` is the Client-Id that the user saw, empty if there was none.
   * Throws a `RequestError` if the Client-Id has changed since, or if there is nothing to approve.
   */
  approve: (record: DeviceRecord, seen?: string) => void;
  /** Refuses it and revokes its approval, unless that is for another Client-Id. Throws a `RequestError` if it needs no approval. */
  refuse: (record: DeviceRecord) => void;
}

/** Makes the gatekeeper over the user's stored approvals. */
export function createGatekeeper(approvals: DeviceApprovals): Gatekeeper {
  const isApprovedAs = ({ deviceId, unnamed }: DeviceRecord, { clientId = '' }: DevicePeer) =>
    !unnamed && approvals.get(deviceId) === clientId;

  function remotePeer(record: DeviceRecord): DevicePeer {
    const peer = peerOf(record);
    if (peer?.remote === true) return peer;
    throw new RequestError(`${nameOf(record)} is on this machine and needs no approval.`, { field: 'id' });
  }

  return {
    isApproved: (record) => {
      const peer = peerOf(record);
      return peer !== undefined && isApprovedAs(record, peer);
    },
    mayEnter: (record, session) => {
      const { peer } = session;
      if (!peer.remote || isApprovedAs(record, peer)) return true;
      // One at a time: the approval is for the connection that the user sees.
      if (heldSession(record) !== undefined)
        session.refuse('approval', 'waits-for-approval', 'Another connection of this name waits for approval already.');
      else if (record.session === session) record.knocked = true;
      return false;
    },
    approve: (record, seen) => {
      const { clientId = '' } = remotePeer(record);
      if (seen !== undefined && clientId !== seen) {
        throw new RequestError(`${nameOf(record)} has changed: its Client-Id is different now. Check it again.`, {
          field: 'clientId',
        });
      }
      const held = heldSession(record);
      if (record.unnamed && held === undefined) {
        throw new RequestError(
          `${nameOf(record)} sends no Device-Id, so it cannot be recognised later. Approve it while it waits.`,
          { field: 'id' },
        );
      }
      if (!record.unnamed) approvals.set(record.deviceId, clientId);
      record.rejectedClient = undefined;
      record.awaited = record.knocked;
      record.knocked = false;
      held?.admit();
    },
    refuse: (record) => {
      const peer = remotePeer(record);
      const { knocked } = record;
      record.knocked = false;
      const isApproved = isApprovedAs(record, peer);
      for (const session of [record.session, ...record.waiting]) {
        // Another Client-Id that waits was rejected: the approved device stays.
        const isSpared = !isApproved && session !== undefined && isApprovedAs(record, session.peer);
        if (session?.peer.remote !== true || isSpared || (session.ended && !knocked)) continue;
        record.rejectedClient = session.peer.clientId ?? '';
        session.refuse('approval', 'refused', 'A user rejected it. It asks again when it reconnects.');
      }
      if (isApproved) approvals.delete(record.deviceId);
    },
  };
}
