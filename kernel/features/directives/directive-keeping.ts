/**
 * Stores and deletes versions of directive files: templates at first start (O-58), approved drafts (O-09), expired versions
 * (O-10). Must not judge a text; directive-service.ts does. Called by directive-service.ts, change.ts, tick.ts and home at
 * startup.
 */
import { STANDARD_FILES, type StandardFile } from '../../directives/ownership.ts'
import { nextDrop, versionsToDrop } from '../../directives/retention.ts'
import { type DirectiveText, packed } from '../../directives/text.ts'
import { directiveWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Clock, DirectiveFiles, Ids, Sealing } from '../../powers/ports.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { DirectiveChange } from '../../task/proposed-change.ts'
import { openText, sealText } from '../../vault/records.ts'
import type { DirectiveStore, StoredDirective } from './port.ts'

/** Seals a text ahead of the transaction that stores it, since a transaction must not wait. */
export async function sealDirective(
  powers: Clock & Ids & Sealing,
  file: string,
  content: DirectiveText,
): Promise<Omit<StoredDirective, 'version'>> {
  const request = { id: powers.newId(), principal: OWNER_PRINCIPAL, store: 'memory', until: null } as const
  const sealed = await sealText(powers.sealer, request, receive(packed(content), directiveWords()))
  return { file, at: powers.now(), ...sealed }
}

/**
 * Creates all standard files from their templates, once per installation, in one transaction. Skipped when the store
 * has any file, unless the keys of all of them were destroyed.
 */
export async function seedDirectives(
  powers: Auditing & Ids & DirectiveFiles & Sealing & StoreOf<Transactions>,
  templates: () => Readonly<Record<StandardFile, string>>,
): Promise<void> {
  const { directives } = powers
  if (directives === undefined) return
  const dead = directives.current()
  if (!(await areForgotten(powers, dead))) return
  const texts = templates()
  const rows = await Promise.all(
    STANDARD_FILES.map((name) => sealDirective(powers, name, { name, text: texts[name] })),
  )
  powers.store.transaction(() => {
    for (const { file } of dead) directives.drop(directives.history(file), powers.now())
    for (const row of rows) directives.keep(row, 0)
    audit(powers, 'directive_changed', null, { change: 'seeded', files: rows.length })
  })
}

/**
 * True when all of them were forgotten; false for an empty list. Other reasons why a file does not open may be
 * temporary.
 */
async function areForgotten({ sealer }: Sealing, files: readonly StoredDirective[]): Promise<boolean> {
  for (const { ref, row } of files) {
    const text = await openText(sealer, ref, row)
    if (text.ok || text.reason.code !== 'principal_forgotten') return false
  }
  return true
}

/**
 * Stores an approved draft, in the transaction of the approval. Refusal: approval_changed when the file differs from the one that
 * was shown.
 */
export function adoptDraft(
  powers: Auditing & DirectiveFiles,
  change: DirectiveChange,
  approval: string,
): Result<true> {
  const { directives } = powers
  if (directives === undefined || !directives.adopt(change, powers.now()))
    return err('approval_changed', { approval })
  dropOld(directives, change.file, powers.now())
  audit(powers, 'directive_changed', null, { change: 'adopted', record: change.draft, approval })
  return ok(true)
}

/** Deletes the versions that a write pushed out of the file's history. The caller opens the transaction. */
export function dropOld(directives: DirectiveStore, file: string, now: number): void {
  directives.drop(versionsToDrop(directives.history(file), now), now)
}

interface Tidied {
  readonly version: number
  /** Epoch milliseconds; null when nothing will expire. */
  readonly next: number | null
}

/** When the next version or draft expires, by store: read after every message, computed only after a write. */
const tidied = new WeakMap<DirectiveStore, Tidied>()

/** Deletes what has expired; returns the next expiry (epoch ms), or null. */
export function tidyDirectives({ directives, now }: Clock & DirectiveFiles): number | null {
  if (directives === undefined) return null
  const known = tidied.get(directives)
  const version = directives.version()
  if (known?.version === version && (known.next === null || known.next > now())) return known.next
  const files = directives.current().map(({ file }) => file)
  for (const file of files) dropOld(directives, file, now())
  const ends = [directives.nextDraftEnd(), ...files.map((file) => nextDrop(directives.history(file)))]
  const next = ends.reduce((soonest, end) => (end === null ? soonest : Math.min(soonest ?? end, end)), null)
  tidied.set(directives, { version, next })
  return next
}
