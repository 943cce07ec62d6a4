/**
 * `pfar secret set <name> --line open`: sends a value to the edge, which seals it for home at once, and explains how to
 * accept it there (L-12, L-15). For a device that cannot reach home. The edge's provider could read the value in
 * transit, so the private line is preferable. Must not print it. Called by secret-command.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { secretName } from '../../../kernel/vault/secret-offer.ts'
import { checkWordOf } from '../../secrets/check-word.ts'
import { checkValue } from '../../secrets/secret.ts'
import { callEdge } from '../../tunnel/edge-call.ts'
import type { CommandContext } from '../command.ts'
import { ownKey, usualEdge } from './own-device.ts'

export interface TypedSecret {
  readonly name: string
  readonly value: string
}

/** Refusals: field_malformed, frame_malformed (name), remote_unavailable, and those of the edge. */
export async function offerSecret(context: CommandContext, typed: TypedSecret): Promise<Result<null>> {
  const { name } = typed
  // The rules that all kinds share; home checks those of the kind.
  const value = checkValue('key', typed.value)
  if (!value.ok) return value
  if (!secretName.safeParse(name).success) return err('frame_malformed')
  const own = ownKey(context)
  if (!own.ok) return own
  const edge = usualEdge(context, own.value.paths)
  if (!edge.ok) return edge
  const { device } = own.value
  const url = `${edge.value}/line/secrets/${encodeURIComponent(name)}`
  const body = JSON.stringify({ value: value.value })
  const sent = await callEdge({ method: 'PUT', url, body, device }, z.object({ done: z.literal(true) }))
  if (!sent.ok) return sent
  const { out } = context.screen
  out('The edge has sealed it for home and cannot read it any more. It waits for home for a week at most.')
  out(`Then accept it at home:  pfar secret accept ${name} ${checkWordOf(name, value.value)}`)
  return ok(null)
}
