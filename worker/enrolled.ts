/**
 * Checks that a request comes from an enrolled device of the owner. The signature is checked against a copy of the device list
 * that each isolate caches for half a minute, so that the check wakes no object (DESIGN §7, T-02, B-09). Must not decide who is
 * enrolled: KernelObject does. Called by the tunnel, the open line, the device routes and the copies.
 */
import type { MiddlewareHandler } from 'hono'
import { KERNEL_NAME } from '../durable-objects/names.ts'
import { type EdgeEnv, settingsOf } from '../durable-objects/platform/env.ts'
import { errorResponse } from '../durable-objects/platform/errors.ts'
import { checkSignature, type DeviceKey, type SignedBy } from '../durable-objects/platform/signature.ts'
import { err, type Result } from '../kernel/flow/verdict.ts'

/** Milliseconds for which the copy is used: how long a revoked device can still send messages. */
export const LIST_LIFE = 30_000
/** Milliseconds between two reads caused by unknown devices: such requests must not wake the object each time. */
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
  // The device may have been paired since the copy was made.
  return unknown ? checkSignature(request, await devicesOf(env, now, LOOK_AGAIN), now) : signed
}

/**
 * As `checkDevice`, then asks KernelObject whether the device is enrolled now and the signature unused: for every request where a
 * replay would gain something. Refusals: as `checkDevice`, device_revoked, event_stale.
 */
export async function admitDevice(request: Request, env: EdgeEnv): Promise<Result<SignedBy>> {
  const signed = await checkDevice(request, env)
  return signed.ok ? settle(signed, await env.KERNEL.getByName(KERNEL_NAME).admit(signed.value), env) : signed
}

/** As `admitDevice`, for the one device that writes the copies of home. Refusals: as `admitDevice`, principal_not_allowed. */
export async function admitWriter(request: Request, env: EdgeEnv): Promise<Result<SignedBy>> {
  const signed = await checkDevice(request, env)
  return signed.ok
    ? settle(signed, await env.KERNEL.getByName(KERNEL_NAME).admitWriter(signed.value), env)
    : signed
}

export interface SignedRoutes {
  Bindings: EdgeEnv
  /** Id of the device that signed. */
  Variables: { device: string }
}

/** Lets only requests pass that `admit` accepts. */
export function signedBy(admit: typeof admitDevice): MiddlewareHandler<SignedRoutes> {
  return async (context, next) => {
    const signed = await admit(context.req.raw, context.env)
    if (!signed.ok) return errorResponse(signed.reason)
    context.set('device', signed.value.device)
    return next()
  }
}

/** A refusal by the object shows that the cached list is outdated: drops it. */
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
