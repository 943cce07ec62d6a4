/**
 * Access check for exporting one principal's object to home's backup, or importing one (E-13, E-16): `ObjectPart` behind the
 * object's gate and lock. Called by PrincipalObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Cursor, ImportRows, Page, PartHead } from '../../kernel/tunnel/edge-part.ts'
import type { Claim } from './claim.ts'
import type { Gate } from './gate.ts'
import type { EdgeLock } from './lock.ts'
import type { ObjectPart, PartEnd, PartName } from './object-part.ts'

/** A part to import, with the schema of its rows. */
export type PartStart = PartName & { readonly schema: readonly string[] }

export interface PartDesk {
  /** Refusals: nothing_found, edge_locked, seal_key_missing. */
  head(sealTo: Uint8Array): Promise<Result<PartHead>>
  /** Refusals: edge_locked, record_stale, nothing_found. */
  page(moment: string, cursor: Cursor | null): Result<Page>
  /** True when this part was imported before. Refusals: edge_locked, edge_not_empty, version_incompatible. */
  begin(part: PartStart): Promise<Result<boolean>>
  add(part: PartName, page: ImportRows): Result<true>
  /** The object restarts at the end, so its caller sees an error and asks again. */
  end(part: PartEnd): Promise<Result<true>>
}

export interface PartDeskInput {
  readonly part: ObjectPart
  readonly claim: Claim
  readonly gate: Gate
  readonly lock: EdgeLock
  /** Ends this instance once its rows are durable, so that no earlier state stays in memory. */
  readonly restart: () => Promise<void>
}

export function createPartDesk({ part, claim, gate, lock, restart }: PartDeskInput): PartDesk {
  return {
    async head(sealTo) {
      const principal = claim.known()
      if (principal === undefined) return err('nothing_found')
      const own = await gate.open(principal)
      return own.ok ? part.head(principal, sealTo) : own
    },
    page: (moment, cursor) => (lock.isLocked() ? err('edge_locked') : part.page(moment, cursor)),
    async begin(start) {
      const own = gate.own(start.principal)
      if (!own.ok) return own
      await lock.join()
      if (lock.isLocked()) return err('edge_locked')
      if (part.isDone(start.id)) return ok(true)
      const begun = part.begin(start)
      return begun.ok ? ok(false) : begun
    },
    add(name, page) {
      const own = gate.own(name.principal)
      return own.ok ? part.add(name, page) : own
    },
    async end(last) {
      const own = gate.own(last.principal)
      if (!own.ok || part.isDone(last.id)) return own
      const ended = await part.end(last)
      if (ended.ok) await restart()
      return ended
    },
  }
}
