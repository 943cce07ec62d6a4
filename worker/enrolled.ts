/**
 * Whether a request comes from a device of the owner: its signature against the list of devices, of which each isolate
 * keeps a copy for half a minute, so that checking wakes no object (DESIGN §7, T-02, B-09). Must not decide who is
 * enrolled: KernelObject does. Called by the tunnel, the open line, the device routes and the copies.
 */
import { KERNEL_NAME } from '../durable-objects/names.ts'
import { err, type Result } from '../kernel/flow/verdict.ts'
import { type EdgeEnv, settingsOf } from './env.ts'
import { checkSignature, type DeviceKey, type SignedBy } from './signature.ts'

/** Milliseconds for which a copy of the list is believed: how long a revoked device may still send messages. */
export const LIST_LIFE = 30_000
/** Milliseconds before an unknown device makes us look again: knocking must not wake the object each time. */
const LOOK_AGAIN = 5_000

interface Copy {
  readonly at: number
  readonly devices: readonly DeviceKey[]
}

const copies = new WeakMap<object, Copy>()

/** Refusals: signature_invalid, config_malformed, storage_failed. */
export async function checkDevice(request: Request, env: EdgeEnv): Promise<Result<SignedBy>> {
  const settings = settingsOf(env)
  if (!settings.ok) return settings
  if (!request.headers.has('signature-input')) return err('signature_invalid', { why: 'missing' })
  const now = Date.now()
  const signed = await checkSignature(request, await devicesOf(env, now, LIST_LIFE), now)
  const unknown = !signed.ok && signed.reason.facts['why'] === 'ResolverFailed'
  // It may have been paired since the copy was made.
  return unknown ? checkSignature(request, await devicesOf(env, now, LOOK_AGAIN), now) : signed
}

/**
 * As `checkDevice`, and then asks the object whether the device is enrolled at this moment and the signature new: for
 * all that a replay would gain something by. Refusals: those, device_revoked, event_stale.
 */
export async function admitDevice(request: Request, env: EdgeEnv): Promise<Result<SignedBy>> {
  const signed = await checkDevice(request, env)
  return signed.ok ? settle(signed, await env.KERNEL.getByName(KERNEL_NAME).admit(signed.value), env) : signed
}

/** As `admitDevice`, for the one device that writes the copies of home. Refusals: those, principal_not_allowed. */
export async function admitWriter(request: Request, env: EdgeEnv): Promise<Result<SignedBy>> {
  const signed = await checkDevice(request, env)
  return signed.ok
    ? settle(signed, await env.KERNEL.getByName(KERNEL_NAME).admitWriter(signed.value), env)
    : signed
}

/** What was refused by the object makes the copy of its list old. */
function settle(signed: Result<SignedBy>, admitted: Result<true>, env: EdgeEnv): Result<SignedBy> {
  if (!admitted.ok) copies.delete(env)
  return admitted.ok ? signed : admitted
}

async function devicesOf(env: EdgeEnv, now: number, life: number): Promise<readonly DeviceKey[]> {
  const known = copies.get(env)
  if (known !== undefined && Math.abs(now - known.at) < life) return known.devices
  const devices = await env.KERNEL.getByName(KERNEL_NAME).devices()
  copies.set(env, { at: now, devices })
  return devices
}
