/**
 * Write-only route for a credential typed at the edge (DESIGN §1 "Custody is not clearance", E-02, L-12, L-13): sealed for home in
 * the memory of one request, before any object or row sees it. Must not log it, store it, or pass it to anything but `closeBox`;
 * nothing reads it back. Called by open-line.ts, which has checked the signature.
 */
import * as z from 'zod/mini'
import { closeBox } from '../../integrations/sealing/sealed-box.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  MAX_SECRET,
  OFFER_PURPOSE,
  offerBound,
  type SecretOffer,
  sealKeyId,
  secretName,
} from '../../kernel/vault/secret-offer.ts'
import { KERNEL_NAME, TUNNEL_NAME } from '../names.ts'
import { type EdgeEnv, type KernelCalls, keyOf } from './env.ts'
import { askObject } from './errors.ts'
import { readSignedJson } from './signature.ts'

/** Longest request body in bytes: `MAX_SECRET` units, each escaped in JSON. A longer body is not read further. */
const MAX_SECRET_BYTES = 65_536

const secretBody = z.strictObject({ value: z.string().check(z.minLength(1)) })

export interface SecretSource {
  /** Name of the secret, as in the path. */
  readonly name: string
  readonly principal: string
  readonly device: string
}

/**
 * Refusals: event_too_large, event_malformed, signature_invalid (another body), edge_locked, remote_rate_limited, seal_key_missing,
 * home_offline (too many are queued), storage_failed. None of them says anything about the value.
 */
export async function takeSecret(
  request: Request,
  env: Pick<EdgeEnv, 'TUNNEL'> & { readonly KERNEL: KernelCalls<'sealKeyFor'> },
  { name, principal, device }: SecretSource,
): Promise<Result<true>> {
  const body = await readSignedJson(request, secretBody, MAX_SECRET_BYTES)
  if (!body.ok) return body
  const { value } = body.value
  if (value.length > MAX_SECRET) return err('event_too_large')
  if (!z.safeParse(secretName, name).success) return err('event_malformed')
  const known = await askObject(() => env.KERNEL.getByName(KERNEL_NAME).sealKeyFor({ name, device }))
  if (!known.ok) return known
  const publicKey = keyOf(known.value)
  if (publicKey === null) return err('seal_key_missing')
  const source = { id: crypto.randomUUID(), principal, name, key: sealKeyId(publicKey), at: Date.now() }
  const offer = await closedFor(publicKey, source, value)
  if (!offer.ok) return offer
  return askObject(() => env.TUNNEL.getByName(TUNNEL_NAME).offer(offer.value))
}

/** Seals one value for home, bound to principal, name and time. Refusal: seal_key_missing. */
export async function closedFor(
  publicKey: Uint8Array,
  source: Omit<SecretOffer, 'box'>,
  value: string,
): Promise<Result<SecretOffer>> {
  const address = { purpose: OFFER_PURPOSE, bound: offerBound(source) }
  const box = await closeBox(publicKey, address, new TextEncoder().encode(value))
  // The synced key is not a valid public key, so home could not open the box.
  if (!box.ok) return err('seal_key_missing', box.reason.facts)
  return ok({ ...source, box: toBase64Url(box.value) })
}

/** Not `Uint8Array.toBase64`: tests run this file in Node 22 as well, which has none. */
function toBase64Url(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
