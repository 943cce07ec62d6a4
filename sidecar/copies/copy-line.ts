/**
 * Client for the edge's copy routes: signs each request and validates each response (DESIGN §6). Uses HTTP instead of
 * the tunnel: a lost chunk is sent again by name, and nothing queues behind it. Must not open or seal anything. Called
 * by make-copy.ts and recover-home.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  archiveSchema,
  type CopyGeneration,
  chunkListSchema,
  enrolledSchema,
  generationSchema,
  MAX_SEALED_BYTES,
  missingSchema,
} from '../../kernel/tunnel/copies.ts'
import type { DeviceKey } from '../tunnel/device-key.ts'
import { callEdge, type EdgeCall, fetchEdge } from '../tunnel/edge-call.ts'

/** Each method refuses as `callEdge` does; further refusals are named. */
export type CopyLine = ReturnType<typeof createCopyLine>

const anything = z.looseObject({})

/** `device`: device key of home. */
export function createCopyLine(edge: string, device: DeviceKey) {
  const call = <T>(path: string, rest: Partial<EdgeCall>, schema: z.ZodMiniType<T>) =>
    callEdge({ url: `${edge}/copies${path}`, body: null, device, ...rest }, schema)
  return {
    state: () => call('', {}, archiveSchema),
    /** Returns those chunks that the edge does not have. Refusal: storage_full. */
    async announce(chunks: readonly string[]): Promise<Result<readonly string[]>> {
      const answer = await call('/announcements', { body: JSON.stringify({ chunks }) }, missingSchema)
      return answer.ok ? ok(answer.value.missing) : answer
    },
    put: (name: string, sealed: Uint8Array): Promise<Result<unknown>> =>
      call(`/chunks/${name}`, { method: 'PUT', body: sealed }, anything),
    /** Refusals: record_stale, copy_incomplete. */
    commit: (generation: CopyGeneration): Promise<Result<unknown>> =>
      call('/generations', { body: JSON.stringify(generation) }, anything),
  }
}

const wanted = z.strictObject({
  number: generationSchema.shape.number,
  at: generationSchema.shape.at,
  chunks: chunkListSchema,
  manifest: generationSchema.shape.manifest,
})

/** Requests of a new home, signed with the recovery key. */
export type RecoveryLine = ReturnType<typeof createRecoveryLine>

export function createRecoveryLine(edge: string, signer: DeviceKey) {
  const url = (path: string): string => `${edge}/recovery${path}`
  return {
    state: () => callEdge({ url: url(''), body: null, device: signer }, archiveSchema),
    generation: (number: number) =>
      callEdge({ url: url(`/generations/${number}`), body: null, device: signer }, wanted),
    async chunk(name: string): Promise<Result<Uint8Array>> {
      const answer = await fetchEdge(
        { url: url(`/chunks/${name}`), body: null, device: signer },
        MAX_SEALED_BYTES,
      )
      return answer.ok ? answer : err(answer.reason.code, { chunk: name })
    },
    enrol: (publicKey: string) =>
      callEdge({ url: url('/homes'), body: JSON.stringify({ publicKey }), device: signer }, enrolledSchema),
  }
}
