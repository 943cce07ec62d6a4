/**
 * Store of sealed secrets (E-01, E-02, E-11), with their own key: one version in force, and the former one while the new one is
 * on trial. Must not print a value, and releases one only for a single call. Called by secret-vault.ts, credential-issuer.ts and
 * secret-service.ts.
 *
 * Each value is a record under a random id, written once. A deleted one is buried: an older copy of the file does not bring it
 * back. Kind, scope and version are in the seal's additional data.
 */

import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Random } from '../../kernel/vault/cipher.ts'
import type { KeyRing } from '../../kernel/vault/key-ring.ts'
import type { SealAddress } from '../../kernel/vault/sealer.ts'
import { readJson } from '../store/json.ts'
import { checkValue, type SecretInfo, type SecretKind, type SecretScope, scopeSchema } from './secret.ts'
import type { SecretFile, SecretRow } from './secret-file.ts'

/** Milliseconds that a former version is kept while the new one has not been accepted: a week to notice a problem. */
export const FORMER_LIFETIME = 7 * 86_400_000
const RECORD_BYTES = 16

export interface NewSecret {
  readonly name: string
  readonly kind: SecretKind
  readonly scope: SecretScope
  readonly value: string
  /** When its service ends the permission, epoch milliseconds; absent: unknown. */
  readonly endsAt?: number | undefined
}

/** A plaintext value. The caller overwrites the bytes with zeros after the call. */
export interface Unsealed {
  readonly version: number
  readonly kind: SecretKind
  readonly scope: SecretScope
  readonly bytes: Uint8Array
}

export interface SecretStore {
  list(): readonly SecretInfo[]
  find(name: string): SecretInfo | null
  /** Replaces what is stored under the name, including its scope. Refusal: field_malformed (value). */
  set(secret: NewSecret): Promise<Result<SecretInfo>>
  /** Stores a new value under the old scope, on trial. Refusals: credential_missing, field_malformed. */
  rotate(name: string, value: string): Promise<Result<SecretInfo>>
  /** Refusal: credential_missing. */
  delete(name: string): Promise<Result<null>>
  /**
   * The version in force: the newest, or the former one if a service rejected the newest. Refusals: credential_missing
   * and those of `Sealer.open`.
   */
  unseal(name: string): Promise<Result<Unsealed>>
  /** A service accepted this version: it is proven, and the former one is deleted. */
  accepted(name: string, version: number): void
  /** A service rejected this version. True for the first time, when the owner is to be notified. */
  rejected(name: string, version: number): boolean
  reminded(name: string): void
  remindedAt(name: string): number | null
  /** Records that the owner was notified of the end. */
  endTold(name: string): void
  /** Deletes former versions after `FORMER_LIFETIME`. */
  expire(): void
  close(): void
}

export interface SecretStoreInput {
  readonly file: SecretFile
  readonly ring: Pick<KeyRing, 'sealer' | 'bury'>
  readonly random: Random
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createSecretStore({ file, ring, random, now }: SecretStoreInput): SecretStore {
  const inTurn = createTurns()
  const current = (name: string): SecretRow | undefined => file.versionsOf(name).at(-1)
  const infoOf = (name: string): SecretInfo | null => describe(file.versionsOf(name))

  const put = async (
    { name, kind, scope, value, endsAt }: NewSecret,
    keepFormer: boolean,
  ): Promise<Result<SecretInfo>> => {
    const checked = checkValue(kind, value)
    if (!checked.ok) return checked
    const versions = file.versionsOf(name)
    const newest = versions.at(-1)
    const version = (newest?.version ?? 0) + 1
    const record = Buffer.from(random(RECORD_BYTES)).toString('hex')
    const bytes = new TextEncoder().encode(checked.value)
    const sealed = await ring.sealer.seal(addressOf({ name, version, record, kind, scope }), bytes)
    bytes.fill(0)
    const fallback = keepFormer ? fallbackOf(versions) : undefined
    const gone = versions.filter((row) => row !== fallback)
    const at = now()
    file.replace(
      {
        ...{ name, version, record, kind, scope: canonicalJson(scope as unknown as Json), sealed },
        ...{ status: 'current', createdAt: newest?.createdAt ?? at, storedAt: at },
        ...{ lastUsedAt: null, provenAt: null, rejectedAt: null, remindedAt: null, endsAt: endsAt ?? null },
      },
      { ...(fallback && { former: fallback }), gone },
    )
    bury(gone)
    const info = infoOf(name)
    return info === null ? missing(name) : ok(info)
  }
  const bury = (rows: readonly SecretRow[]): void => {
    for (const { record } of rows) ring.bury({ store: 'secrets', record })
  }
  const drop = (rows: readonly SecretRow[]): void => {
    if (rows.length === 0) return
    file.remove(rows)
    bury(rows)
  }
  const isOver = (row: SecretRow): boolean =>
    row.status === 'former' && now() - (current(row.name)?.storedAt ?? 0) > FORMER_LIFETIME

  /** The newest, unless a service rejected it and there is a former one. */
  const inForce = (name: string): SecretRow | undefined => {
    const versions = file.versionsOf(name).filter((row) => !isOver(row))
    const newest = versions.at(-1)
    return newest?.rejectedAt == null ? newest : (versions.at(-2) ?? newest)
  }

  return {
    list: () => listSecrets(file),
    find: infoOf,
    set: (secret) => inTurn(() => put(secret, false)),
    rotate: (name, value) =>
      inTurn(async () => {
        const known = current(name)
        if (known === undefined) return missing(name)
        return put({ name, kind: known.kind, scope: readScope(known), value }, true)
      }),
    delete: (name) =>
      inTurn(async () => {
        const versions = file.versionsOf(name)
        drop(versions)
        return versions.length === 0 ? missing(name) : ok(null)
      }),
    async unseal(name) {
      const row = inForce(name)
      if (row === undefined) return missing(name)
      const { kind, version } = row
      const scope = readScope(row)
      const plain = await ring.sealer.open(addressOf({ ...row, scope }), row.sealed)
      if (!plain.ok) return plain
      file.change(row, { lastUsedAt: now() })
      return ok({ kind, version, scope, bytes: plain.value })
    },
    accepted(name, version) {
      const row = current(name)
      if (row?.version !== version) return
      if (row.provenAt === null || row.rejectedAt !== null)
        file.change(row, { provenAt: row.provenAt ?? now(), rejectedAt: null })
      drop(file.versionsOf(name).filter(({ status }) => status === 'former'))
    },
    rejected(name, version) {
      const row = current(name)
      if (row?.version !== version || row.rejectedAt !== null) return false
      file.change(row, { rejectedAt: now() })
      return true
    },
    reminded(name) {
      const row = current(name)
      if (row !== undefined) file.change(row, { remindedAt: now() })
    },
    remindedAt: (name) => current(name)?.remindedAt ?? null,
    endTold(name) {
      const row = current(name)
      if (row !== undefined) file.change(row, { endsAt: null })
    },
    expire: () => drop(file.rows().filter(isOver)),
    close: () => file.close(),
  }
}

/** A version that was never accepted does not become the fallback if another was. */
function fallbackOf(versions: readonly SecretRow[]): SecretRow | undefined {
  const newest = versions.at(-1)
  const former = newest?.provenAt === null ? versions.find(({ status }) => status === 'former') : undefined
  return former ?? newest
}

/** Needs no key: returns names, scopes and times. */
export function listSecrets(file: Pick<SecretFile, 'rows' | 'versionsOf'>): readonly SecretInfo[] {
  const names = [...new Set(file.rows().map(({ name }) => name))]
  return names.flatMap((name) => describe(file.versionsOf(name)) ?? [])
}

function describe(versions: readonly SecretRow[]): SecretInfo | null {
  const row = versions.at(-1)
  if (row === undefined) return null
  const { name, version, kind, createdAt, storedAt, provenAt, rejectedAt, endsAt } = row
  const used = versions.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
  return {
    ...{ name, version, kind, scope: readScope(row), createdAt, storedAt },
    lastUsedAt: used.length === 0 ? null : Math.max(...used),
    state: rejectedAt !== null ? 'rejected' : provenAt === null ? 'trial' : 'proven',
    former: versions.length > 1,
    endsAt,
  }
}

type Bound = Pick<SecretRow, 'name' | 'version' | 'record' | 'kind'> & { readonly scope: SecretScope }

function addressOf({ name, version, record, kind, scope }: Bound): SealAddress {
  const label = canonicalJson([name, version, kind, scope as unknown as Json])
  return { store: 'secrets', principal: OWNER_PRINCIPAL, record, label, version: 1 }
}

/** A scope that does not parse grants nothing; the seal would not open with it either. */
function readScope({ scope }: Pick<SecretRow, 'scope'>): SecretScope {
  return readJson(scopeSchema, scope) ?? NOBODY
}

const NOBODY: SecretScope = { tools: [], actions: [], hosts: [] }

function missing(name: string): Result<never> {
  return err('credential_missing', { credential: name })
}

/** Serialises changes: two concurrent ones would take the same version number. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
