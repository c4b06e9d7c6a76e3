import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { ConnectionFacts, DeviceInfo, ForgottenDevices, SendOutcome } from './types.ts';
import { id, nothing } from './fields.ts';

/** `isUnshared`: the other nodes of the cluster do not know the decision yet. */
const decided = type<Pick<DeviceInfo, 'isUnshared'>>();

export const devices = {
  /** `own`: only those of this node, also the ones that are hidden because another node has the device. */
  list: oc.input(z.strictObject({ own: z.boolean() }).optional()).output(type<DeviceInfo[]>()),
  /** Starts a virtual device that connects over a real socket; `faults` as `toolwire device --fault` names them. */
  addVirtual: oc
    .input(
      z.strictObject({
        profile: z.string().max(64).optional(),
        name: z.string().min(1).max(64).optional(),
        faults: z.array(z.string().max(64)).max(16).optional(),
        latencyMs: z.int().min(0).max(600_000).optional(),
      }),
    )
    .output(type<{ deviceId: string }>()),
  /** Closes the connection; a virtual device stops. */
  disconnect: oc.input(z.strictObject({ id })).output(nothing),
  /** Cuts a virtual device's TCP connection without a goodbye, as a lost power supply does. */
  pullPlug: oc.input(z.strictObject({ id })).output(nothing),
  /** The button of a virtual device: it begins to listen, or connects again, as a board does whose button is pressed. */
  press: oc.input(z.strictObject({ id })).output(nothing),
  /** Removes a departed device from the list, with its log. */
  forget: oc.input(z.strictObject({ id })).output(nothing),
  /** Removes all devices that are not connected, also those that are stored and no longer listed. */
  forgetDisconnected: oc.output(type<ForgottenDevices>()),
  /** Lists its tools again. `changes`: tools that were added, removed or changed. */
  refreshTools: oc.input(z.strictObject({ id })).output(type<{ toolCount: number; changes: number }>()),
  /**
   * Approves a device on the network, now and for later connections. If its hello waits, the connection continues immediately. `clientId` is the
   * one shown to the user, empty if there was none; the approval applies only to it.
   */
  approve: oc.input(z.strictObject({ id, clientId: z.string().max(512) })).output(decided),
  /** Rejects the device and revokes its approval; it asks again when it reconnects. */
  refuse: oc.input(z.strictObject({ id })).output(decided),
  /**
   * Sends one frame by hand, exactly as it is: `text` as a text frame, `base64` as a binary one. What would restart a
   * device or run a tool that asks first is answered with `confirmation-required` unless `confirmed`.
   */
  send: oc
    .input(
      z.strictObject({
        id,
        text: z.string().max(4_000_000).optional(),
        base64: z.string().max(6_000_000).optional(),
        confirmed: z.boolean().optional(),
      }),
    )
    .output(type<SendOutcome>()),
  /** What the user needs to point a device here: addresses, a token for a device that cannot ask OTA. */
  connectionFacts: oc.output(type<ConnectionFacts>()),
  /** Binds the device listener to another port, or tries the same again; kept in the settings. */
  listen: oc.input(z.strictObject({ port: z.int().min(0).max(65_535) })).output(nothing),
};
